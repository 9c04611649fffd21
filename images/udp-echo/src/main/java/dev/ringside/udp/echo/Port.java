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
 * A bound UDP socket, blocking. Replies leave by the socket that the request came to, thus from the
 * port that the client sent it to: a connected client would drop any other. For one thread that
 * receives and any number that send; the JDK lets one of those send at a time.
 */
final class Port implements AutoCloseable {
  private final DatagramChannel channel;
  private final Counts counts;

  /**
   * Binds it.
   *
   * @param receiveBuffer bytes that the kernel keeps for it; 0 for the kernel's default
   * @param shared whether other sockets of ours may bind the same port, among which the kernel
   *     spreads the senders
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

  /** Where it listens. */
  InetSocketAddress address() {
    try {
      return (InetSocketAddress) channel.getLocalAddress();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Waits for a datagram that is no longer than a slot. One that is longer is counted and left.
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
   * Sends the text to its peer. One that the kernel does not take is counted: UDP promises none.
   */
  void send(Datagram reply) {
    try {
      channel.send(reply.text(), reply.peer());
      counts.replied();
    } catch (ClosedChannelException e) {
      // it is being stopped
    } catch (IOException e) {
      counts.unsent();
    }
  }

  /** Ends the socket, and whoever waits in {@link #receive}. */
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("close a port", e);
    }
  }
}
