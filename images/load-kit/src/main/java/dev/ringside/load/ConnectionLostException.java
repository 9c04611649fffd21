package dev.ringside.load;

/** A connection can no longer be used. */
public final class ConnectionLostException extends OperationFailedException {
  private static final long serialVersionUID = 1;

  /** Creates the exception; the cause determines the kind of error. */
  public ConnectionLostException(String message, Throwable cause) {
    this(ErrorKind.of(cause), message, cause);
  }

  /** Creates the exception with a kind of error. */
  public ConnectionLostException(ErrorKind kind, String message, Throwable cause) {
    super(kind, message, cause);
  }
}
