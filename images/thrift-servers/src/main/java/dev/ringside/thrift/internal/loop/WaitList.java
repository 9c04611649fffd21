package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.wire.Shortage;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Queues the connections that one loop has put off until a shortage is over. For the loop's leader.
 */
public final class WaitList {
  private final ArrayDeque<Connection> waiting = new ArrayDeque<>();
  private final Shortage shortage;
  private final BooleanSupplier over;
  private long since;

  /**
   * Creates an empty queue.
   *
   * @param over whether the first connection may be tried again
   */
  public WaitList(Shortage shortage, BooleanSupplier over) {
    this.shortage = shortage;
    this.over = over;
  }

  public boolean isEmpty() {
    return waiting.isEmpty();
  }

  public int size() {
    return waiting.size();
  }

  /** Returns System.nanoTime() when the first of them was put off. */
  public long since() {
    return since;
  }

  public void add(Connection connection) {
    if (waiting.isEmpty()) {
      since = System.nanoTime();
      shortage.begins();
    }
    waiting.add(connection);
  }

  public @Nullable Connection peek() {
    return waiting.peek();
  }

  /** Removes and returns the next connection, or returns null. */
  public @Nullable Connection poll() {
    Connection connection = waiting.poll();
    if (connection != null && waiting.isEmpty()) {
      shortage.ends();
    }
    return connection;
  }

  /** Removes the connections that match the condition. */
  public void removeIf(Predicate<Connection> late) {
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

  /** Visits and removes all connections. One whose visit fails stays. */
  public void drain(Consumer<Connection> each) {
    removeIf(
        connection -> {
          each.accept(connection);
          return true;
        });
  }

  /**
   * Reports whether the first of them may be tried again. The caller must first have made visible
   * that the loop sleeps, so that a resource that is given back after this check wakes it.
   */
  public boolean hasTurn() {
    if (waiting.isEmpty()) {
      return false;
    }
    shortage.fence();
    return over.getAsBoolean();
  }
}
