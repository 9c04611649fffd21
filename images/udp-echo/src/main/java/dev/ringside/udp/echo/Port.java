package dev.ringside.udp.echo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;

/**
 * Is a bound, blocking UDP socket. Answers leave from the socket and port that received the
 * request, because a connected client drops datagrams from other ports. One thread receives and any
 * number send; the JDK lets one of those send at a time.
 */
final class Port implements AutoCloseable {
  private final DatagramChannel channel;
  private final Counts counts;

  /**
   * Binds the socket.
   *
   * @param receiveBuffer bytes of its receive buffer; 0 for the kernel's default
   * @param shared whether more sockets of this process bind the same port; the kernel distributes
   *     the senders among them
   */
  Port(InetSocketAddress address, int receiveBuffer, boolean shared, Counts counts)
      throws IOException {
    this.counts = counts;
    channel =
        DatagramChannel.open(
            address.getAddress() instanceof Inet4Address
                ? StandardProtocolFamily.INET
                : StandardProtocolFamily.INET6);
    try {
      if (receiveBuffer > 0) {
        channel.setOption(StandardSocketOptions.SO_RCVBUF, receiveBuffer);
      }
      if (shared) {
        channel.setOption(StandardSocketOptions.SO_REUSEPORT, true);
      }
      channel.bind(address);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** Returns the local address. */
  InetSocketAddress address() {
    try {
      return (InetSocketAddress) channel.getLocalAddress();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Waits for a datagram that fits in a slot. Counts and drops longer ones.
   *
   * @return false once the port is closed
   */
  boolean receive(Datagram into) {
    ByteBuffer text = into.text();
    while (true) {
      text.clear();
      SocketAddress sender;
      try {
        sender = channel.receive(text);
      } catch (ClosedChannelException e) {
        return false;
      } catch (IOException e) {
        throw new UncheckedIOException("receive a datagram", e);
      }
      text.flip();
      counts.received();
      if (text.remaining() <= Datagram.MAX_BYTES) {
        into.from(sender);
        return true;
      }
      counts.tooLong();
    }
  }

  /**
   * Sends the text to its peer. Counts an answer that the kernel rejects, because UDP does not
   * guarantee delivery.
   */
  void send(Datagram reply) {
    try {
      channel.send(reply.text(), reply.peer());
      counts.replied();
    } catch (ClosedChannelException e) {
      // the server is stopping
    } catch (IOException e) {
      counts.unsent();
    }
  }

  /** Closes the socket. Threads that wait in {@link #receive} return. */
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("close a port", e);
    }
  }
}
