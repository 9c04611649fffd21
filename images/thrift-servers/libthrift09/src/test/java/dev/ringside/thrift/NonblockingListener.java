package dev.ringside.thrift;

import org.apache.thrift.transport.TNonblockingServerTransport;
import org.apache.thrift.transport.TNonblockingTransport;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportException;

/** Contains the part of a listener that differs between versions of libthrift: here 0.9.2. */
abstract class NonblockingListener extends TNonblockingServerTransport {
  /** Returns the next connection, or null if there is none now. */
  abstract TNonblockingTransport acceptNext() throws TTransportException;

  @Override
  protected final TTransport acceptImpl() throws TTransportException {
    return acceptNext();
  }
}
