package dev.ringside.contract.profile;

/**
 * The reason why there is no profile: one line for the client, with the error and how to fix it.
 */
final class Refusal extends Exception {
  static final int BAD_REQUEST = 400;
  static final int NO_SUCH_PATH = 404;
  static final int NO_SUCH_METHOD = 405;
  static final int BUSY = 409;
  static final int FAILED = 500;
  static final int CANNOT = 501;

  private static final long serialVersionUID = 1L;

  private final int status;

  Refusal(int status, String line) {
    super(line.replaceAll("\\s+", " ").trim());
    this.status = status;
  }

  /** Returns the HTTP status. */
  int status() {
    return status;
  }
}
