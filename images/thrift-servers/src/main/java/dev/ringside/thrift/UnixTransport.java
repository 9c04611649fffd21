package dev.ringside.thrift;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.apache.thrift.transport.TNonblockingTransport;
import org.apache.thrift.transport.TTransportException;

/**
 * A connection that was accepted on a Unix domain socket, in place of libthrift's, which sets
 * options that TCP alone has. The server reads and writes its channel; who has the transport, such
 * as a processor factory, can only tell whose it is and close it.
 */
final class UnixTransport extends AcceptedTransport {
  private final SocketChannel channel;
  private final SocketAddress client;

  /** Of a channel that does not block. */
  UnixTransport(SocketChannel channel, SocketAddress client) throws TTransportException {
    this.channel = channel;
    this.client = client;
  }

  /** Whom listeners and logs are told of as the client of a connection. */
  static SocketAddress client(TNonblockingTransport transport, SocketChannel channel)
      throws IOException {
    return transport instanceof UnixTransport
        ? ((UnixTransport) transport).client
        : channel.getRemoteAddress();
  }

  @Override
  public SelectionKey registerSelector(Selector selector, int interests) throws IOException {
    return channel.register(selector, interests);
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new IllegalStateException("closing the connection of " + client + " failed", e);
    }
  }

  @Override
  public void open() {
    throw isTheServers();
  }

  @Override
  public boolean startConnect() {
    throw isTheServers();
  }

  @Override
  public boolean finishConnect() {
    throw isTheServers();
  }

  @Override
  public int read(ByteBuffer buffer) {
    throw isTheServers();
  }

  @Override
  public int read(byte[] bytes, int at, int length) {
    throw isTheServers();
  }

  @Override
  public int write(ByteBuffer buffer) {
    throw isTheServers();
  }

  @Override
  public void write(byte[] bytes, int at, int length) {
    throw isTheServers();
  }

  private UnsupportedOperationException isTheServers() {
    return new UnsupportedOperationException(
        "the connection of " + client + " is read and written by the server alone");
  }
}
