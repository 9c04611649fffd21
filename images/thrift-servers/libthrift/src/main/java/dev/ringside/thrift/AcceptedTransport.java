package dev.ringside.thrift;

import org.apache.thrift.TConfiguration;
import org.apache.thrift.transport.TNonblockingTransport;
import org.apache.thrift.transport.TTransportException;

/**
 * The part of a connection's transport that differs between versions of libthrift: here the newest.
 */
abstract class AcceptedTransport extends TNonblockingTransport {
  AcceptedTransport() throws TTransportException {
    // Of its own: what somebody changes in it stays with this connection.
    super(new TConfiguration());
  }
}
