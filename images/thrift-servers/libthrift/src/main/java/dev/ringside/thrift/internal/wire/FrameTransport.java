package dev.ringside.thrift.internal.wire;

import org.apache.thrift.TConfiguration;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportException;

/**
 * Contains the part of a frame's transport that differs between versions of libthrift: here the
 * newest.
 *
 * <p>Protocols ask {@link #checkReadBytesAvailable} before they allocate what a length field
 * announces.
 */
public abstract class FrameTransport extends TTransport {
  /**
   * The connection's own, so that changes by a user's transport stay with this connection. A change
   * of {@link TConfiguration#DEFAULT} would affect the whole process.
   */
  private final TConfiguration configuration;

  public FrameTransport(int maxFrameBytes) {
    configuration =
        new TConfiguration(
            Math.max(maxFrameBytes, TConfiguration.DEFAULT_MAX_MESSAGE_SIZE),
            maxFrameBytes,
            TConfiguration.DEFAULT_RECURSION_DEPTH);
  }

  /** Returns the longest field that the rest of the message can have. */
  public abstract int longestField();

  @Override
  public final TConfiguration getConfiguration() {
    return configuration;
  }

  @Override
  public final void updateKnownMessageSize(long size) {
    // the frame's length is the message's size
  }

  @Override
  public final void checkReadBytesAvailable(long bytes) throws TTransportException {
    if (bytes > longestField()) {
      throw new TTransportException(
          TTransportException.END_OF_FILE,
          "a length of "
              + bytes
              + " is announced where the message can have "
              + longestField()
              + " more bytes at most");
    }
  }

  @Override
  public final void resetMessageSizeAndConsumedBytes(long size) {
    // nothing is counted
  }
}
