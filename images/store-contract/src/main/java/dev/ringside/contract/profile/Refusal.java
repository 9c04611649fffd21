package dev.ringside.contract.profile;

/** Why there is no profile, as the client is told: one line that names the fault and the mend. */
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

  /** HTTP's. */
  int status() {
    return status;
  }
}
