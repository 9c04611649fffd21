package dev.ringside.load;

/** A connection that is of no more use, and why. */
public final class ConnectionLostException extends OperationFailedException {
  private static final long serialVersionUID = 1;

  /** Of that connection, for a reason that its cause tells. */
  public ConnectionLostException(String message, Throwable cause) {
    this(ErrorKind.of(cause), message, cause);
  }

  /** Of that connection. */
  public ConnectionLostException(ErrorKind kind, String message, Throwable cause) {
    super(kind, message, cause);
  }
}
