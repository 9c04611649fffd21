package dev.ringside.load;

/** The load cannot go on, and why. */
public final class LoadFailedException extends Exception {
  private static final long serialVersionUID = 1;

  /** In one line. */
  public LoadFailedException(String message) {
    super(message);
  }

  /** In one line, with what it came of. */
  public LoadFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
