package dev.ringside.load;

/** A connection that is of no more use, and why. */
public final class ConnectionLostException extends Exception {
  private static final long serialVersionUID = 1;

  /** Of that connection. */
  public ConnectionLostException(String message, Throwable cause) {
    super(message, cause);
  }
}
