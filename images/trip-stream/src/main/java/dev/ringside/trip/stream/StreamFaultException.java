package dev.ringside.trip.stream;

import java.io.IOException;

/** Reports bytes that do not belong to this protocol, or a permanent error of the peer. */
public final class StreamFaultException extends IOException {
  private static final long serialVersionUID = 1;

  /** Creates the exception with a message of one line. */
  public StreamFaultException(String fault) {
    super(fault);
  }
}
