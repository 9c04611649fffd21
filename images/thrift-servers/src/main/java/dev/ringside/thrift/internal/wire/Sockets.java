package dev.ringside.thrift.internal.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * Reads and writes channels that do not block. Java 8 closes a channel that an interrupted thread
 * uses, so an interrupt that has come too late for a handler is removed first.
 */
public final class Sockets {
  private Sockets() {}

  public static int read(SocketChannel channel, ByteBuffer to) throws IOException {
    Thread.interrupted();
    return channel.read(to);
  }

  public static int write(SocketChannel channel, ByteBuffer from) throws IOException {
    Thread.interrupted();
    return channel.write(from);
  }
}
