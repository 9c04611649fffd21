package dev.ringside.thrift.peers;

import org.apache.thrift.transport.TTransportFactory;
import org.apache.thrift.transport.layered.TFramedTransport;

/** Provides the framed transport, which is in another package since libthrift 0.14. */
final class Framing {
  private Framing() {}

  static TTransportFactory factory() {
    return new TFramedTransport.Factory();
  }
}
