package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.wire.FramePipe;
import dev.ringside.thrift.internal.wire.Libthrift;
import java.util.function.Supplier;
import org.apache.thrift.TException;
import org.apache.thrift.TProcessor;
import org.apache.thrift.TProcessorFactory;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolFactory;
import org.apache.thrift.server.TServerEventHandler;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportFactory;

/** Holds what makes the transports, protocols, processors and contexts of all connections. */
public final class Factories {
  /** Holds one connection's protocols and the transports below them, without state of requests. */
  public final class Protocols {
    public final TTransport inTransport;
    public final TTransport outTransport;
    public final TProtocol in;
    public final TProtocol out;

    Protocols(FramePipe pipe) throws TException {
      inTransport = raw ? Libthrift.wrap(inTransports, pipe) : pipe;
      outTransport = raw ? Libthrift.wrap(outTransports, pipe) : pipe;
      in = inProtocols.getProtocol(inTransport);
      out = outProtocols.getProtocol(outTransport);
    }
  }

  /**
   * The reason to reject generated AsyncProcessors: they answer through a frame buffer that only
   * libthrift's own selector servers can create.
   */
  private static final String NO_ASYNC =
      "an asynchronous processor is served by libthrift's nonblocking servers only: give this"
          + " server the service's Processor";

  private final TTransportFactory inTransports;
  private final TTransportFactory outTransports;
  private final TProtocolFactory inProtocols;
  private final TProtocolFactory outProtocols;
  private final TProcessorFactory processor;
  private final Supplier<TServerEventHandler> events;

  /**
   * Whether a user's transport factory does more than framing, and so must receive complete frames.
   */
  public final boolean raw;

  public Factories(
      TTransportFactory inTransports,
      TTransportFactory outTransports,
      TProtocolFactory inProtocols,
      TProtocolFactory outProtocols,
      TProcessorFactory processor,
      Supplier<TServerEventHandler> events) {
    this.inTransports = inTransports;
    this.outTransports = outTransports;
    this.inProtocols = inProtocols;
    this.outProtocols = outProtocols;
    this.processor = processor;
    this.events = events;
    // A factory of the user's own may need a transport to answer: it is asked for each connection.
    if (processor.getClass() == TProcessorFactory.class
        && Libthrift.isAsync(processor.getProcessor(null))) {
      throw new IllegalArgumentException(NO_ASYNC);
    }
    this.raw = !Libthrift.isPlainFraming(inTransports) || !Libthrift.isPlainFraming(outTransports);
  }

  /** Returns the hooks that the user has set on the server, or null. */
  public TServerEventHandler events() {
    return events.get();
  }

  /** Returns new protocols of a connection. */
  public Protocols protocols(FramePipe pipe) throws TException {
    return new Protocols(pipe);
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
