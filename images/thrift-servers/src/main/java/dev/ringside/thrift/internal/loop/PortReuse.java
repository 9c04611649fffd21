package dev.ringside.thrift.internal.loop;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes a new connection wait until an earlier one between the same addresses has ended. When a
 * client resets a connection, its kernel may use the port again at once, while the server still
 * runs a request of the earlier connection or has not noticed the reset. Listeners that keep state
 * by the client's address, as Cassandra keeps logins, would confuse the two. Thread-safe.
 */
public final class PortReuse {
  /** The newest connection of each pair of addresses. */
  private final Map<Object, Connection> newest = new ConcurrentHashMap<>();

  /**
   * Reports whether a connection that has not begun must wait. Connections without a port, as of
   * Unix domain sockets, never do: all their addresses are equal. If so, it belongs to the earlier
   * one until {@link #ended} returns it. For the thread that serves the new one.
   */
  public boolean mustWait(Connection connection) {
    if (connection.addresses == null) {
      return false;
    }
    Connection earlier = newest.put(connection.addresses, connection);
    if (earlier == null) {
      return false;
    }
    connection.waitsForPort = true;
    if (earlier.next.compareAndSet(null, connection)) {
      return true;
    }
    connection.waitsForPort = false;
    return false;
  }

  /**
   * Records the end of a connection after its hooks. Returns the one that waits for it, which may
   * begin now. For the thread that has served the ended one.
   */
  public @Nullable Connection ended(Connection connection) {
    if (connection.addresses != null) {
      newest.remove(connection.addresses, connection);
    }
    // Its own value means that it has ended: a later one need not wait.
    return connection.next.getAndSet(connection);
  }
}
