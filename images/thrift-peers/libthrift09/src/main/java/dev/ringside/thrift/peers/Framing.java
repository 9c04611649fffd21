package dev.ringside.thrift.peers;

import org.apache.thrift.transport.TFramedTransport;
import org.apache.thrift.transport.TTransportFactory;

/** Provides the framed transport, which is in another package since libthrift 0.14. */
final class Framing {
  private Framing() {}

  static TTransportFactory factory() {
    return new TFramedTransport.Factory();
  }
}
