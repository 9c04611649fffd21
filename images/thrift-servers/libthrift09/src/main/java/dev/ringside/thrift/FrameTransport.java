package dev.ringside.thrift;

import org.apache.thrift.transport.TTransport;

/** The part of a frame's transport that differs between versions of libthrift: here 0.9.2. */
abstract class FrameTransport extends TTransport {
  /** Bytes of the request that can still be read. */
  abstract int available();
}
