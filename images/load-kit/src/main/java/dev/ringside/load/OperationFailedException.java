package dev.ringside.load;

/** An operation failed. */
public class OperationFailedException extends Exception {
  private static final long serialVersionUID = 1;

  private final ErrorKind kind;

  /** Creates the exception with a kind of error. */
  public OperationFailedException(ErrorKind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** Returns the kind of error. */
  public final ErrorKind kind() {
    return kind;
  }
}
