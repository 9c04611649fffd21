package dev.ringside.thrift;

import org.apache.thrift.TConfiguration;
import org.apache.thrift.transport.TNonblockingTransport;
import org.apache.thrift.transport.TTransportException;

/**
 * Contains the part of a connection's transport that differs between versions of libthrift: here
 * the newest.
 */
abstract class AcceptedTransport extends TNonblockingTransport {
  AcceptedTransport() throws TTransportException {
    // A separate configuration, so that a user's changes stay with this connection.
    super(new TConfiguration());
  }
}
