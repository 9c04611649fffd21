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
 * Represents a connection accepted on a Unix domain socket. libthrift's own class sets options that
 * only TCP has. The server reads and writes the channel itself; a processor factory that receives
 * this transport can only identify the client and close the connection.
 */
final class UnixTransport extends AcceptedTransport {
  private final SocketChannel channel;
  private final SocketAddress client;

  /** Creates a transport for a channel in non-blocking mode. */
  UnixTransport(SocketChannel channel, SocketAddress client) throws TTransportException {
    this.channel = channel;
    this.client = client;
  }

  /** Returns the client's address that listeners and logs receive. */
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
