package dev.ringside.thrift;

import java.util.ArrayDeque;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * What an event loop has put off: connections that are to be served again after others had their
 * turn, those that are to be closed, those whose request finds the ring full, and those that may
 * not read because the read memory is used up. For the loop's leader.
 */
final class Deferred {
  private final ArrayDeque<Connection> again = new ArrayDeque<>();
  private final ArrayDeque<Connection> closing = new ArrayDeque<>();
  private final PutOff forRoom;
  private final PutOff forMemory;

  Deferred(PutOff forRoom, PutOff forMemory) {
    this.forRoom = forRoom;
    this.forMemory = forMemory;
  }

  /** To be served again when others had their turn. It is in the loop meanwhile. */
  void again(Connection connection) {
    if (!connection.queuedAgain) {
      connection.queuedAgain = true;
      again.add(connection);
    }
  }

  int agains() {
    return again.size();
  }

  Connection pollAgain() {
    Connection connection = again.poll();
    if (connection != null) {
      connection.queuedAgain = false;
    }
    return connection;
  }

  /** To be closed, when a hook that blocks does no harm. It is not in the loop any more. */
  void close(Connection connection) {
    closing.add(connection);
  }

  Connection pollClosing() {
    return closing.poll();
  }

  /** Those that wait for room in the ring. They are not in the loop meanwhile. */
  PutOff forRoom() {
    return forRoom;
  }

  /** Those that wait for read memory. They are not in the loop meanwhile. */
  PutOff forMemory() {
    return forMemory;
  }

  /**
   * Whether there is anything to do before the loop sleeps; to be asked when it is known to others
   * that it is about to.
   */
  boolean hasTurn() {
    return !again.isEmpty() || !closing.isEmpty() || forRoom.hasTurn() || forMemory.hasTurn();
  }

  /** Takes out of those that wait for memory whom the loop does not want to keep. */
  void removeIf(Predicate<Connection> late) {
    forMemory.removeIf(late);
  }

  /** Empties it at the end of the loop. */
  void drain(Consumer<Connection> each) {
    drain(this::pollAgain, each);
    drain(closing::poll, each);
    drain(forRoom::poll, each);
    drain(forMemory::poll, each);
  }

  private static void drain(
      java.util.function.Supplier<Connection> next, Consumer<Connection> each) {
    for (Connection connection = next.get(); connection != null; connection = next.get()) {
      each.accept(connection);
    }
  }
}
