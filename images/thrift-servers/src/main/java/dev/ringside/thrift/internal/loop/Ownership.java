package dev.ringside.thrift.internal.loop;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tracks who may serve a connection: the leader of its event loop while it is in the loop, and its
 * owner otherwise. The owner is a worker, a leader that was deposed while it served the connection,
 * or, before it begins, an earlier connection (see {@link PortReuse}).
 *
 * <p>The loop keeps watching a connection that is owned, because its client mostly sends nothing
 * before it has the reply. That saves two changes of the selector's interest per request. If the
 * client does send, the loop stops watching, and the owner must give the connection back through
 * the loop's queue.
 */
public final class Ownership {
  private static final int IN_LOOP = 0;
  private static final int OWNED = 1;
  private static final int OWNED_UNWATCHED = 2;

  private final AtomicInteger state = new AtomicInteger();

  /** Reports whether the leader may serve it. */
  public boolean isInLoop() {
    return state.get() == IN_LOOP;
  }

  /**
   * Takes the connection out of the loop. The leader calls this before it serves the connection.
   */
  public void take() {
    state.lazySet(OWNED);
  }

  /** Puts the connection back, after the leader served it or received it from its owner. */
  public void putBack() {
    state.lazySet(IN_LOOP);
  }

  /**
   * Records that the leader found a connection ready that it does not own.
   *
   * @return true if the leader must stop watching it; false if it was unwatched already or has been
   *     given back
   */
  public boolean markUnwatched() {
    return state.compareAndSet(OWNED, OWNED_UNWATCHED);
  }

  /**
   * Gives the connection back from its owner to the loop.
   *
   * @return false if the loop has stopped watching it, so that the owner must notify it
   */
  public boolean giveBackWatched() {
    return state.compareAndSet(OWNED, IN_LOOP);
  }
}
