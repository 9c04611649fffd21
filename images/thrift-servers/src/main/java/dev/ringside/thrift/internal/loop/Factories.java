package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.wire.Libthrift;
import java.util.function.Supplier;
import org.apache.thrift.TException;
import org.apache.thrift.TProcessor;
import org.apache.thrift.TProcessorFactory;
import org.apache.thrift.protocol.TProtocolFactory;
import org.apache.thrift.server.TServerEventHandler;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportFactory;

/** Holds what makes the transports, protocols, processors and contexts of all connections. */
public final class Factories {
  /**
   * The reason to reject generated AsyncProcessors: they answer through a frame buffer that only
   * libthrift's own selector servers can create.
   */
  private static final String NO_ASYNC =
      "an asynchronous processor is served by libthrift's nonblocking servers only: give this server"
          + " the service's Processor";

  public final TTransportFactory inTransport;
  public final TTransportFactory outTransport;
  public final TProtocolFactory inProtocol;
  public final TProtocolFactory outProtocol;
  private final TProcessorFactory processor;
  private final Supplier<TServerEventHandler> events;

  /**
   * Whether a user's transport factory does more than framing, and so must receive complete frames.
   */
  public final boolean raw;

  public Factories(
      TTransportFactory inTransport,
      TTransportFactory outTransport,
      TProtocolFactory inProtocol,
      TProtocolFactory outProtocol,
      TProcessorFactory processor,
      Supplier<TServerEventHandler> events) {
    this.inTransport = inTransport;
    this.outTransport = outTransport;
    this.inProtocol = inProtocol;
    this.outProtocol = outProtocol;
    this.processor = processor;
    this.events = events;
    // A factory of the user's own may need a transport to answer: it is asked for each connection.
    if (processor.getClass() == TProcessorFactory.class
        && Libthrift.isAsync(processor.getProcessor(null))) {
      throw new IllegalArgumentException(NO_ASYNC);
    }
    this.raw = !Libthrift.isPlainFraming(inTransport) || !Libthrift.isPlainFraming(outTransport);
  }

  /** Returns the hooks that the user has set on the server, or null. */
  public TServerEventHandler events() {
    return events.get();
  }

  /** Returns the processor of a new connection. */
  public TProcessor processor(TTransport transport) throws TException {
    TProcessor made = processor.getProcessor(transport);
    if (Libthrift.isAsync(made)) {
      throw new TException(NO_ASYNC);
    }
    return made;
  }
}
