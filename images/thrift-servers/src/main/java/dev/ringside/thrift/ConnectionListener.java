package dev.ringside.thrift;

import java.net.SocketAddress;

/**
 * Told of the life of each connection, on whatever thread the event happens. For each connection:
 * one {@link #opened}, any number of {@link #beforeRequest}, one {@link #closed}, in this order and
 * never two at the same time. What {@link #opened} or {@link #beforeRequest} throws closes the
 * connection.
 */
public interface ConnectionListener {
  /** Does nothing. */
  ConnectionListener NONE = new ConnectionListener() {};

  /** The connection was accepted. */
  default void opened(SocketAddress client) {}

  /** A request of that client is about to run on the current thread. */
  default void beforeRequest(SocketAddress client) {}

  /** The connection has ended, by whatever cause. No request of it runs any more. */
  default void closed(SocketAddress client) {}
}
