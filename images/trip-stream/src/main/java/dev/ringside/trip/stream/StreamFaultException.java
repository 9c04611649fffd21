package dev.ringside.trip.stream;

import java.io.IOException;

/** What came is not what this stream is made of, or says that the other side can do no more. */
public final class StreamFaultException extends IOException {
  private static final long serialVersionUID = 1;

  /** One line. */
  public StreamFaultException(String fault) {
    super(fault);
  }
}
