package dev.ringside.bench.floor;

import dev.ringside.bench.wire.ServerControl;
import dev.ringside.server.ServerType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * Is the floor of the comparison: one thread that returns all bytes that it reads, with one read
 * and one write each time. It does not use Thrift, allocates nothing and runs no handler, so no
 * server on the JVM's sockets can do the same work at a lower cost. If a socket is full, it copies
 * the rest of what it has read, and reads no more from that client until it is sent.
 */
public final class FloorMain {
  private static final int BUFFER_BYTES = 64 << 10;

  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final Selector selector;
  private final ServerSocketChannel server;

  private FloorMain() throws IOException {
    selector = Selector.open();
    server = ServerSocketChannel.open();
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), ServerType.BACKLOG);
    server.configureBlocking(false);
    server.register(selector, SelectionKey.OP_ACCEPT);
  }

  /** Serves until standard input ends. */
  public static void main(String[] args) throws IOException {
    ServerControl.run(start(), FloorMain.class.getName(), order -> "0");
  }

  /** Serves until the process ends; returns the port. */
  static int start() throws IOException {
    FloorMain floor = new FloorMain();
    Thread thread = new Thread(floor::loop, "floor");
    thread.setDaemon(true);
    thread.start();
    return floor.server.socket().getLocalPort();
  }

  private void loop() {
    try {
      while (true) {
        selector.select(this::serve);
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private void serve(SelectionKey key) {
    try {
      if (key.isAcceptable()) {
        SocketChannel channel = server.accept();
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.register(selector, SelectionKey.OP_READ);
      } else if (key.isReadable()) {
        echo(key);
      } else {
        send(key, (ByteBuffer) key.attachment());
      }
    } catch (IOException e) {
      key.cancel();
    }
  }

  private void echo(SelectionKey key) throws IOException {
    SocketChannel channel = (SocketChannel) key.channel();
    buffer.clear();
    if (channel.read(buffer) < 0) {
      channel.close();
      return;
    }
    buffer.flip();
    channel.write(buffer);
    if (buffer.hasRemaining()) {
      ByteBuffer rest = (ByteBuffer) key.attachment();
      if (rest == null) {
        rest = ByteBuffer.allocateDirect(BUFFER_BYTES);
        key.attach(rest);
      }
      rest.clear().put(buffer).flip();
      key.interestOps(SelectionKey.OP_WRITE);
    }
  }

  private static void send(SelectionKey key, ByteBuffer rest) throws IOException {
    ((SocketChannel) key.channel()).write(rest);
    if (!rest.hasRemaining()) {
      key.interestOps(SelectionKey.OP_READ);
    }
  }
}
