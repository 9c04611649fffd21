package dev.ringside.thrift;

import java.net.SocketAddress;
import javax.net.ssl.SSLSession;

/**
 * Told of the life of each connection, on whatever thread the event happens. For each connection:
 * one {@link #opened}, with TLS and a request one {@link #secured}, any number of {@link
 * #beforeRequest}, one {@link #closed}, in this order and never two at the same time. What {@link
 * #opened} or {@link #secured} throws closes the connection. What {@link #beforeRequest} throws
 * counts as the handler's failure: the request is not run, and its client is told.
 *
 * <p>Clients of a {@link UnixServerSocket} have no address: each connection is told with one of its
 * own, which says the path and a number.
 */
public interface ConnectionListener {
  /** Does nothing. */
  ConnectionListener NONE = new ConnectionListener() {};

  /** The connection was accepted. */
  default void opened(SocketAddress client) {}

  /**
   * The first request of a connection with TLS is about to run on the current thread. Who the
   * client is, its certificates tell if it had to show any: {@link SSLSession#getPeerCertificates}.
   * To refuse it, throw: no request of it runs.
   */
  default void secured(SocketAddress client, SSLSession session) {}

  /** A request of that client is about to run on the current thread. */
  default void beforeRequest(SocketAddress client) {}

  /** The connection has ended, by whatever cause. No request of it runs any more. */
  default void closed(SocketAddress client) {}
}
