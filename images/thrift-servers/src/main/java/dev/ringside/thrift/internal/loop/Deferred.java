package dev.ringside.thrift.internal.loop;

import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Holds the connections that an event loop has put off: to serve again after others had their turn,
 * to close, to hand off when the ring has room, and to read or run when there is memory. For the
 * loop's leader.
 */
public final class Deferred {
  private final ArrayDeque<Connection> again = new ArrayDeque<>();

  /** The first of a list that needs no memory, because a lack of memory is a reason to close. */
  private @Nullable Connection closing;

  private @Nullable Connection lastClosing;
  private int closings;

  /** Those that wait for room in the ring. They are not in the loop. */
  public final WaitList forRoom;

  /** Those that wait for memory. They are not in the loop. */
  public final WaitList forMemory;

  public Deferred(WaitList forRoom, WaitList forMemory) {
    this.forRoom = forRoom;
    this.forMemory = forMemory;
  }

  /** Serves a connection again when others had their turn. It stays in the loop. */
  public void again(Connection connection) {
    if (!connection.queuedAgain) {
      again.add(connection);
      connection.queuedAgain = true;
    }
  }

  /** Removes a connection that moves to another loop, which must serve it again. */
  public void leaves(Connection connection) {
    if (connection.queuedAgain) {
      again.remove(connection);
    }
  }

  /** Adds a connection that came from another loop, if it was to be served again there. */
  public void arrived(Connection connection) {
    if (connection.queuedAgain) {
      again.add(connection);
    }
  }

  public int agains() {
    return again.size();
  }

  public @Nullable Connection pollAgain() {
    Connection connection = again.poll();
    if (connection != null) {
      connection.queuedAgain = false;
    }
    return connection;
  }

  /** Closes a connection later, when a hook that blocks does no harm. It has left the loop. */
  public void close(Connection connection) {
    if (connection.nextToClose != null || closing != null && connection == lastClosing) {
      return;
    }
    if (closing == null || lastClosing == null) {
      closing = connection;
    } else {
      lastClosing.nextToClose = connection;
    }
    lastClosing = connection;
    closings++;
  }

  public int closings() {
    return closings;
  }

  public @Nullable Connection pollClosing() {
    Connection connection = closing;
    if (connection != null) {
      closing = connection.nextToClose;
      connection.nextToClose = null;
      closings--;
    }
    return connection;
  }

  /**
   * Reports whether there is anything to do before the loop sleeps. Call it after other threads can
   * see that the loop is about to sleep.
   */
  public boolean hasTurn() {
    return !again.isEmpty() || closing != null || forRoom.hasTurn() || forMemory.hasTurn();
  }

  /** Removes and visits all connections, at the end of the loop. */
  public void drain(Consumer<Connection> each) {
    for (Connection next = pollAgain(); next != null; next = pollAgain()) {
      each.accept(next);
    }
    for (Connection next = pollClosing(); next != null; next = pollClosing()) {
      each.accept(next);
    }
    forRoom.drain(each);
    forMemory.drain(each);
  }
}
