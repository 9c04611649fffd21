package dev.ringside.thrift.internal.wire;

import java.lang.reflect.Field;
import java.net.SocketAddress;
import org.apache.thrift.TBaseAsyncProcessor;
import org.apache.thrift.TException;
import org.apache.thrift.TProcessor;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolFactory;
import org.apache.thrift.server.ServerContext;
import org.apache.thrift.transport.TFastFramedTransport;
import org.apache.thrift.transport.TFramedTransport;
import org.apache.thrift.transport.TNonblockingServerTransport;
import org.apache.thrift.transport.TNonblockingTransport;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportException;
import org.apache.thrift.transport.TTransportFactory;
import org.jspecify.annotations.Nullable;

/** Wraps the calls that differ between versions of libthrift: here 0.9.2. */
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
   * has no limit, which this version cannot distinguish from its default.
   */
  public static int frameLimit(TTransportFactory factory) {
    try {
      boolean fast = factory.getClass() == TFastFramedTransport.Factory.class;
      long limit = number(factory, fast ? "maxLength" : "maxLength_");
      return limit == TFastFramedTransport.DEFAULT_MAX_LENGTH ? Integer.MAX_VALUE : (int) limit;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this is not libthrift 0.9.2", e);
    }
  }

  public static TTransport wrap(TTransportFactory factory, TTransport transport) {
    return factory.getTransport(transport);
  }

  public static @Nullable TNonblockingTransport accept(TNonblockingServerTransport server)
      throws TTransportException {
    return (TNonblockingTransport) server.accept();
  }

  /** Does nothing: contexts of this version have no address. */
  public static void tellAddress(@Nullable ServerContext context, SocketAddress client) {}

  /**
   * Reports whether a processor answers from a callback, which only libthrift's own servers can
   * pass.
   */
  public static boolean isAsync(TProcessor processor) {
    return processor instanceof TBaseAsyncProcessor;
  }

  /** Runs a request; returns false if the processor wants the connection closed. */
  public static boolean process(TProcessor processor, TProtocol in, TProtocol out)
      throws TException {
    return processor.process(in, out);
  }

  /**
   * Returns the same protocol with a limit to what it allocates. This version allocates whatever a
   * length field announces, two gigabytes for a frame of a few bytes, unless the factory has
   * limits.
   */
  public static TProtocolFactory limited(TProtocolFactory factory, int maxBytes) {
    try {
      if (factory.getClass() == TBinaryProtocol.Factory.class
          && number(factory, "stringLengthLimit_") < 0) {
        boolean strictRead = flag(factory, "strictRead_");
        boolean strictWrite = flag(factory, "strictWrite_");
        return transport -> new FrameBinaryProtocol(transport, maxBytes, strictRead, strictWrite);
      }
      if (factory.getClass() == TCompactProtocol.Factory.class
          && number(factory, "stringLengthLimit_") < 0) {
        return transport -> new FrameCompactProtocol(transport, maxBytes);
      }
      return factory;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this is not libthrift 0.9.2", e);
    }
  }

  private static long number(Object factory, String field) throws ReflectiveOperationException {
    return field(factory, field).getLong(factory);
  }

  private static boolean flag(Object factory, String field) throws ReflectiveOperationException {
    return field(factory, field).getBoolean(factory);
  }

  private static Field field(Object factory, String name) throws ReflectiveOperationException {
    Field field = factory.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }
}
