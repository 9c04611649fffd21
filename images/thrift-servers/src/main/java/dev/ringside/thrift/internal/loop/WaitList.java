package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.wire.Shortage;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Queues the connections that one loop has put off because of a shortage. They are tried again
 * whenever the shortage is eased. For the loop's leader.
 */
public final class WaitList {
  private final ArrayDeque<Connection> waiting = new ArrayDeque<>();
  private final Shortage shortage;

  /** How often the shortage had been eased when the connections were last tried. */
  private long tried;

  private long since;

  public WaitList(Shortage shortage) {
    this.shortage = shortage;
  }

  public boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Returns System.nanoTime() when the first of them was put off. */
  public long since() {
    return since;
  }

  public void add(Connection connection) {
    if (waiting.isEmpty()) {
      since = System.nanoTime();
      shortage.begins();
      // What was given back before this woke nobody.
      tried = shortage.easings() - 1;
    }
    waiting.add(connection);
  }

  /**
   * Reports whether to try them again. The caller must first have made visible that the loop
   * sleeps, so that what is given back after this check wakes it.
   */
  public boolean hasTurn() {
    return !waiting.isEmpty() && shortage.easings() != tried;
  }

  /** Tries all if it is their turn, and removes those for which that succeeds. */
  public void retry(Predicate<Connection> goesOn) {
    if (hasTurn()) {
      tried = shortage.easings();
      removeIf(goesOn);
    }
  }

  /** Tries them if it is their turn, and removes them in their order until one does not succeed. */
  public void retryInOrder(Predicate<Connection> goesOn) {
    if (hasTurn()) {
      tried = shortage.easings();
      for (Connection next = waiting.peek();
          next != null && goesOn.test(next);
          next = waiting.peek()) {
        waiting.remove();
      }
      endIfEmpty();
    }
  }

  /** Removes the connections that match the condition. */
  public void removeIf(Predicate<Connection> condition) {
    if (!waiting.isEmpty()) {
      for (Iterator<Connection> all = waiting.iterator(); all.hasNext(); ) {
        if (condition.test(all.next())) {
          all.remove();
        }
      }
      endIfEmpty();
    }
  }

  private void endIfEmpty() {
    if (waiting.isEmpty()) {
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
}
