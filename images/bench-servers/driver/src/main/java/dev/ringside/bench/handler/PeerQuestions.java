package dev.ringside.bench.handler;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * Sends the questions of handlers that wait for a socket. Each thread has its own connection,
 * opened at its first question, so that handlers share nothing. Connections end with the process.
 * Safe for any number of threads.
 */
final class PeerQuestions {
  private final ThreadLocal<PeerConnection> connections = new ThreadLocal<>();
  private volatile InetSocketAddress peer;

  /** Sets the peer's port. Call this before the first question. */
  void peer(int port) {
    peer = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  /** Sends a question and waits for the answer. */
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
