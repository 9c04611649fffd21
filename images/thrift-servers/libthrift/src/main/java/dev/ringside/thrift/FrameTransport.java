package dev.ringside.thrift;

import org.apache.thrift.TConfiguration;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportException;

/**
 * The part of a frame's transport that differs between versions of libthrift: here the newest.
 *
 * <p>Protocols ask {@link #checkReadBytesAvailable} before they allocate what a length field
 * announces. A frame is in memory as a whole, so the answer is exact.
 */
abstract class FrameTransport extends TTransport {
  /** Bytes of the request that can still be read. */
  abstract int available();

  @Override
  public final TConfiguration getConfiguration() {
    return TConfiguration.DEFAULT;
  }

  @Override
  public final void updateKnownMessageSize(long size) {
    // the frame's length is the message's size
  }

  @Override
  public final void checkReadBytesAvailable(long bytes) throws TTransportException {
    if (bytes > available()) {
      throw new TTransportException(
          TTransportException.END_OF_FILE,
          "a length of "
              + bytes
              + " is announced where the frame has "
              + available()
              + " bytes left");
    }
  }

  @Override
  public final void resetMessageSizeAndConsumedBytes(long size) {
    // nothing is counted
  }
}
