package dev.ringside.bench.handler;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * What handlers wait for in a socket. Each thread that asks has a connection of its own, opened at
 * its first question, so that nothing is shared between handlers; they end with the process. For
 * any number of threads.
 */
final class PeerQuestions {
  private final ThreadLocal<PeerConnection> connections = new ThreadLocal<>();
  private volatile InetSocketAddress peer;

  /** Where to ask, before the first question. */
  void peer(int port) {
    peer = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  /** Asks, and waits for the answer. */
  void ask() {
    try {
      PeerConnection connection = connections.get();
      if (connection == null) {
        connection = open();
        connections.set(connection);
      }
      connection.ask();
    } catch (IOException e) {
      connections.remove();
      throw new UncheckedIOException("a handler could not ask its peer", e);
    }
  }

  private PeerConnection open() throws IOException {
    if (peer == null) {
      throw new IllegalStateException(
          "a handler is to ask another process and was told of none: give the order peer <port>");
    }
    return new PeerConnection(peer);
  }
}
