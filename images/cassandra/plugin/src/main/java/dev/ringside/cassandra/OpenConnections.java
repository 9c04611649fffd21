package dev.ringside.cassandra;

import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The open connections of one server, so that its end can close them all. Safe for any number of
 * threads.
 */
final class OpenConnections<C> {
  private final Set<C> open = Collections.newSetFromMap(new ConcurrentHashMap<>());

  void add(C connection) {
    open.add(connection);
  }

  /** Returns true to the first caller only. That caller must end the session. */
  boolean remove(C connection) {
    return open.remove(connection);
  }

  void forEach(Consumer<? super C> action) {
    open.forEach(action);
  }
}
