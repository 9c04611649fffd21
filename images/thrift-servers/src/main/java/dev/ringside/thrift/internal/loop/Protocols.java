package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.wire.FrameInput;
import dev.ringside.thrift.internal.wire.FrameOutput;
import dev.ringside.thrift.internal.wire.Libthrift;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.transport.TTransport;

/** Holds one connection's protocols and the transports below them, without state of requests. */
final class Protocols {
  final TTransport inTransport;
  final TTransport outTransport;
  final TProtocol in;
  final TProtocol out;

  Protocols(Factories factories, FrameInput input, FrameOutput output) throws TException {
    inTransport = factories.raw ? Libthrift.wrap(factories.inTransport, input) : input;
    outTransport = factories.raw ? Libthrift.wrap(factories.outTransport, output) : output;
    in = factories.inProtocol.getProtocol(inTransport);
    out = factories.outProtocol.getProtocol(outTransport);
  }
}
