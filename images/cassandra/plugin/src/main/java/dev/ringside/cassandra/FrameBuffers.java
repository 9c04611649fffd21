package dev.ringside.cassandra;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import org.apache.thrift.server.AbstractNonblockingServer.FrameBuffer;
import org.apache.thrift.transport.TNonblockingTransport;

/**
 * Returns the connection of a libthrift frame buffer, which is a private field in libthrift 0.9.2.
 */
final class FrameBuffers {
  private static final MethodHandle TRANSPORT = transportField();

  private FrameBuffers() {}

  static SessionNonblockingSocket connection(FrameBuffer buffer) {
    try {
      return (SessionNonblockingSocket) (TNonblockingTransport) TRANSPORT.invokeExact(buffer);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("reading a field threw a checked exception", e);
    }
  }

  private static MethodHandle transportField() {
    try {
      Field field = FrameBuffer.class.getDeclaredField("trans_");
      field.setAccessible(true);
      return MethodHandles.lookup().unreflectGetter(field);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
