package dev.ringside.thrift;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Who may serve a connection: the leader of its event loop while it is in the loop, and the one
 * thread that owns it otherwise, which is a worker, or a leader that was deposed while it served
 * it.
 *
 * <p>The loop goes on watching a connection that is owned, because its client mostly sends nothing
 * before it has the reply; that saves changing the selector's interest twice per request. If the
 * client does send, the loop stops watching, and the owner has to give the connection back through
 * the loop's queue.
 */
final class Ownership {
  private static final int IN_LOOP = 0;
  private static final int OWNED = 1;
  private static final int OWNED_UNWATCHED = 2;

  private final AtomicInteger state = new AtomicInteger();

  /** Whether the leader may serve it. */
  boolean isInLoop() {
    return state.get() == IN_LOOP;
  }

  /** The leader takes the connection out of the loop before it serves it. */
  void take() {
    state.lazySet(OWNED);
  }

  /** The leader puts the connection back: it has served it, or has got it back from its owner. */
  void putBack() {
    state.lazySet(IN_LOOP);
  }

  /**
   * The leader found a connection ready that it does not own.
   *
   * @return true if it is to stop watching it; false if it was unwatched already or has been given
   *     back
   */
  boolean markUnwatched() {
    return state.compareAndSet(OWNED, OWNED_UNWATCHED);
  }

  /**
   * The owner gives the connection back to the loop.
   *
   * @return false if the loop has stopped watching it and must be told
   */
  boolean giveBackWatched() {
    return state.compareAndSet(OWNED, IN_LOOP);
  }
}
