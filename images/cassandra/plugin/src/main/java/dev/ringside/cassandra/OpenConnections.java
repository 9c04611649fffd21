package dev.ringside.cassandra;

import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** The connections of one server that are not closed yet, so that its end can close them all. */
final class OpenConnections<C> {
  private final Set<C> open = Collections.newSetFromMap(new ConcurrentHashMap<>());

  void add(C connection) {
    open.add(connection);
  }

  /** True for the first caller only: who gets true ends the session. */
  boolean remove(C connection) {
    return open.remove(connection);
  }

  void forEach(Consumer<? super C> action) {
    open.forEach(action);
  }
}
