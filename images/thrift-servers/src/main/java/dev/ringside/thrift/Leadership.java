package dev.ringside.thrift;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * One thread's time as the leader of an event loop. While the leader serves a connection it can be
 * deposed: another thread then leads the loop, and this one goes on as a worker with the connection
 * that it has.
 */
final class Leadership extends AtomicInteger {
  private static final long serialVersionUID = 1;

  private static final int SELECTING = 0;
  private static final int SERVING = 1;
  private static final int DEPOSED = 2;

  final transient Thread thread;
  final transient Io io;

  Leadership(Thread thread, Io io) {
    this.thread = thread;
    this.io = io;
  }

  /**
   * The leader begins to serve a connection, which may block. A full fence: either the watchdog
   * sees it before it sleeps, or the leader sees that the watchdog sleeps.
   */
  void beginServing() {
    io.progressed();
    set(SERVING);
  }

  /** The leader has served the connection; false if it was deposed meanwhile. */
  boolean endServing() {
    return compareAndSet(SERVING, SELECTING);
  }

  /** Whether the leader has lost the loop. */
  boolean isDeposed() {
    return get() == DEPOSED;
  }

  /** For the watchdog. */
  boolean isServing() {
    return get() == SERVING;
  }

  /** For the watchdog: true if the leader was serving and has now lost the loop. */
  boolean depose() {
    return compareAndSet(SERVING, DEPOSED);
  }
}
