package dev.ringside.cassandra;

import org.apache.thrift.TProcessor;
import org.apache.thrift.TProcessorFactory;
import org.apache.thrift.transport.TTransport;

/**
 * For thread-per-connection servers: names the client on its thread before each of its requests.
 */
final class SessionProcessorFactory extends TProcessorFactory {
  private final TProcessor processor;
  private final Sessions sessions;

  SessionProcessorFactory(TProcessor processor, Sessions sessions) {
    super(processor);
    this.processor = processor;
    this.sessions = sessions;
  }

  @Override
  public TProcessor getProcessor(TTransport transport) {
    SessionSocket connection = (SessionSocket) transport;
    return (in, out) -> {
      sessions.beforeRequest(connection.client());
      try {
        return processor.process(in, out);
      } catch (Error e) {
        // libthrift 0.9.2 catches exceptions only: an Error ends TSimpleServer as a whole, and in
        // TThreadPoolServer the worker, with its connection left open.
        throw new IllegalStateException("the handler threw an Error", e);
      }
    };
  }
}
