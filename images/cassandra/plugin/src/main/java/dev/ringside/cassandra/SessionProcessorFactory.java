package dev.ringside.cassandra;

import org.apache.thrift.TProcessor;
import org.apache.thrift.TProcessorFactory;
import org.apache.thrift.transport.TTransport;

/** Sets the client of the thread before each request, in servers with a thread per connection. */
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
        // libthrift 0.9.2 catches exceptions only. An Error ends TSimpleServer as a whole; in
        // TThreadPoolServer it ends the worker and leaves its connection open.
        throw new IllegalStateException("the handler threw an Error", e);
      }
    };
  }
}
