package dev.ringside.load;

/** An operation that failed, and why. */
public class OperationFailedException extends Exception {
  private static final long serialVersionUID = 1;

  private final ErrorKind kind;

  /** Of that kind. */
  public OperationFailedException(ErrorKind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** Why, in a word. */
  public final ErrorKind kind() {
    return kind;
  }
}
