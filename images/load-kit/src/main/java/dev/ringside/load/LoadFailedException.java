package dev.ringside.load;

/** The load cannot continue. */
public final class LoadFailedException extends Exception {
  private static final long serialVersionUID = 1;

  /** Creates the exception with a message of one line. */
  public LoadFailedException(String message) {
    super(message);
  }

  /** Creates the exception with a message of one line and a cause. */
  public LoadFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
