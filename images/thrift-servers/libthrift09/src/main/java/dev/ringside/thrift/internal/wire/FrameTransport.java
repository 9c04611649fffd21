package dev.ringside.thrift.internal.wire;

import org.apache.thrift.transport.TTransport;

/**
 * Contains the part of a frame's transport that differs between versions of libthrift: here 0.9.2.
 */
public abstract class FrameTransport extends TTransport {
  public FrameTransport(int maxFrameBytes) {
    // This version's transports have no configuration: limits are in the protocols.
  }

  /** Returns the longest field that the rest of the message can have. */
  public abstract int longestField();
}
