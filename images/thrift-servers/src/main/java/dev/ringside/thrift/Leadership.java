package dev.ringside.thrift;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * One thread's time as the leader of an event loop. While the leader runs what may block it can be
 * deposed: another thread then leads the loop, and this one goes on as a worker with the connection
 * that it has.
 *
 * <p>Replies to earlier requests of that connection may be waiting to be sent together with the one
 * that does not come. Who deposes the leader sends them: while a leader serves it touches neither
 * the socket nor what it has replied already, and when it has been deposed it waits until that is
 * done.
 */
final class Leadership {
  private static final int SELECTING = 0;
  private static final int SERVING = 1;
  private static final int FLUSHING = 2;
  private static final int DEPOSED = 3;

  final Thread thread;
  final Io io;
  private final AtomicInteger state = new AtomicInteger();
  private Connection connection;
  private int flushed;

  Leadership(Thread thread, Io io) {
    this.thread = thread;
    this.io = io;
  }

  /**
   * The leader begins to run what may block. A full fence: either the watchdog sees it before it
   * sleeps, or the leader sees that the watchdog sleeps.
   *
   * @param served whose replies are in the thread's reply buffer
   */
  void beginServing(Connection served) {
    connection = served;
    io.progressed();
    state.set(SERVING);
  }

  /** The leader begins to call hooks, which may block. It has no replies to send meanwhile. */
  void beginHooks(MethodHabits hooks) {
    io.running.lazySet(hooks);
    beginServing(null);
  }

  /** The leader has called the hooks; false if it was deposed meanwhile. */
  boolean endHooks() {
    io.running.lazySet(null);
    return endServing();
  }

  /** The leader has run it; false if it was deposed meanwhile, or before. */
  boolean endServing() {
    if (state.compareAndSet(SERVING, SELECTING)) {
      return true;
    }
    while (state.get() == FLUSHING) {
      // One write to a socket that does not wait.
      Thread.yield();
    }
    io.replies.drop(flushed);
    flushed = 0;
    return false;
  }

  /** Whether the leader has lost the loop. */
  boolean isDeposed() {
    return state.get() >= FLUSHING;
  }

  /** For the watchdog. */
  boolean isServing() {
    return state.get() == SERVING;
  }

  /**
   * For the watchdog: true if the leader was serving and has now lost the loop.
   *
   * @param own the watchdog's buffers
   */
  boolean depose(Io own) {
    if (!state.compareAndSet(SERVING, FLUSHING)) {
      return false;
    }
    try {
      if (io.replies.sendable() > 0) {
        flushed = connection.sendFor(io.replies, own);
      }
    } finally {
      state.set(DEPOSED);
    }
    return true;
  }
}
