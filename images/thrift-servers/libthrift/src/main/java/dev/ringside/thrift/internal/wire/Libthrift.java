package dev.ringside.thrift.internal.wire;

import java.net.SocketAddress;
import org.apache.thrift.TAsyncProcessor;
import org.apache.thrift.TException;
import org.apache.thrift.TProcessor;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolFactory;
import org.apache.thrift.server.ServerContext;
import org.apache.thrift.transport.TNonblockingServerTransport;
import org.apache.thrift.transport.TNonblockingTransport;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportException;
import org.apache.thrift.transport.TTransportFactory;
import org.apache.thrift.transport.layered.TFastFramedTransport;
import org.apache.thrift.transport.layered.TFramedTransport;
import org.jspecify.annotations.Nullable;

/** Wraps the calls that differ between versions of libthrift: here the newest. */
public final class Libthrift {
  private Libthrift() {}

  public static TTransportFactory framedTransportFactory() {
    return new TFramedTransport.Factory();
  }

  /**
   * Reports whether a factory only adds the length in front of a frame, which the server does
   * itself.
   */
  public static boolean isPlainFraming(TTransportFactory factory) {
    return factory.getClass() == TFramedTransport.Factory.class
        || factory.getClass() == TFastFramedTransport.Factory.class;
  }

  /**
   * Returns the largest frame that a factory of plain framing accepts, or the largest number if it
   * has no limit.
   */
  public static int frameLimit(TTransportFactory factory) {
    FramePipe probe = new FramePipe(true, Integer.MAX_VALUE);
    try {
      factory.getTransport(probe);
    } catch (TTransportException e) {
      throw new IllegalArgumentException("the transport factory makes no transport", e);
    }
    return probe.getConfiguration().getMaxFrameSize();
  }

  public static TTransport wrap(TTransportFactory factory, TTransport transport)
      throws TTransportException {
    return factory.getTransport(transport);
  }

  public static @Nullable TNonblockingTransport accept(TNonblockingServerTransport server)
      throws TTransportException {
    return server.accept();
  }

  /** Sets the address of a new connection's client in its context, if it has one. */
  public static void tellAddress(@Nullable ServerContext context, SocketAddress client) {
    if (context != null) {
      context.setRemoteAddress(client);
    }
  }

  /**
   * Reports whether a processor answers from a callback, which only libthrift's own servers can
   * pass.
   */
  public static boolean isAsync(TProcessor processor) {
    return processor instanceof TAsyncProcessor;
  }

  /**
   * Runs a request; returns false if the processor wants the connection closed, which the newest
   * libthrift cannot express.
   */
  public static boolean process(TProcessor processor, TProtocol in, TProtocol out)
      throws TException {
    processor.process(in, out);
    return true;
  }

  /**
   * Returns the same factory: this version asks the transport before it allocates what a field
   * announces.
   */
  public static TProtocolFactory limited(TProtocolFactory factory, int maxBytes) {
    return factory;
  }
}
