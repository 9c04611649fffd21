package dev.ringside.bench.server;

import org.apache.thrift.TException;
import org.apache.thrift.TProcessor;
import org.apache.thrift.protocol.TProtocol;

/**
 * Connects the service to libthrift 0.9, whose processors return whether the connection stays open.
 */
public final class EchoProcessor implements TProcessor {
  private final EchoService service;

  /** Creates a processor of a service. */
  public EchoProcessor(EchoService service) {
    this.service = service;
  }

  @Override
  public boolean process(TProtocol in, TProtocol out) throws TException {
    service.serve(in, out);
    return true;
  }
}
