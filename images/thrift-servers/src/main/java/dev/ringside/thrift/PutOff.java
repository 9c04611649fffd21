package dev.ringside.thrift;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Connections that one loop has put off until a shortage is over, in their order. For its leader.
 */
final class PutOff {
  private final ArrayDeque<Connection> waiting = new ArrayDeque<>();
  private final Shortage shortage;
  private final BooleanSupplier over;
  private long since;

  /**
   * @param over whether the first of them may be tried again
   */
  PutOff(Shortage shortage, BooleanSupplier over) {
    this.shortage = shortage;
    this.over = over;
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  int size() {
    return waiting.size();
  }

  /** System.nanoTime() when the first of them was put off. */
  long since() {
    return since;
  }

  void add(Connection connection) {
    if (waiting.isEmpty()) {
      since = System.nanoTime();
      shortage.begins();
    }
    waiting.add(connection);
  }

  Connection peek() {
    return waiting.peek();
  }

  /** The next one, or null. */
  Connection poll() {
    Connection connection = waiting.poll();
    if (connection != null && waiting.isEmpty()) {
      shortage.ends();
    }
    return connection;
  }

  /** Takes out those that are to be closed. */
  void removeIf(Predicate<Connection> late) {
    int before = waiting.size();
    for (Iterator<Connection> all = waiting.iterator(); all.hasNext(); ) {
      if (late.test(all.next())) {
        all.remove();
      }
    }
    if (before > 0 && waiting.isEmpty()) {
      shortage.ends();
    }
  }

  /**
   * Whether the first of them may be tried again. Who asks must have made it known before that the
   * loop sleeps: what is given back after this look wakes it.
   */
  boolean hasTurn() {
    if (waiting.isEmpty()) {
      return false;
    }
    shortage.fence();
    return over.getAsBoolean();
  }
}
