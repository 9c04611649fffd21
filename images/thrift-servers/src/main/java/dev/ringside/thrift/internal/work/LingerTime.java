package dev.ringside.thrift.internal.work;

import java.util.concurrent.TimeUnit;

/**
 * Decides how long a worker waits for its connection's next request. An idle thread stays for half
 * a minute anyway, so a few may as well stay with their connections: requests that arrive seconds
 * apart then cost the wake-ups of a thread per connection, and no more. With many threads, or where
 * few more may be started, each leaves soon: connections that are hardly active share them, and a
 * new one need not wait until a worker is recalled.
 */
public final class LingerTime {
  /** Up to this number threads are few, some 12 MB; half of the limit where that is less. */
  public static final int FEW_THREADS = 64;

  /**
   * How long a worker waits among many threads, in milliseconds. A client that needs longer for its
   * next request is not active.
   */
  public static final long AMONG_MANY_MILLIS = 100;

  private final long millis;
  private final int few;

  /**
   * Creates the decision for a server.
   *
   * @param millis the longest time; 0 is off
   * @param maxThreads largest number of threads of the server
   * @param idleTimeoutNanos time after which the loop closes silent connections, which it can do
   *     only for connections that no worker keeps; 0 is never
   */
  public LingerTime(long millis, int maxThreads, long idleTimeoutNanos) {
    few = Math.min(FEW_THREADS, maxThreads / 2);
    long idleMillis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(idleTimeoutNanos));
    this.millis = idleTimeoutNanos > 0 ? Math.min(millis, idleMillis) : millis;
  }

  public boolean isOff() {
    return millis == 0;
  }

  /** Returns the longest time in milliseconds, for a number of threads of the server. */
  public long among(int threads) {
    return threads <= few ? millis : Math.min(millis, AMONG_MANY_MILLIS);
  }

  /**
   * Reports whether to wait for a client that was silent for {@code silence} nanoseconds before its
   * last request. With few threads always, because they would be idle. Among many, a wait in vain
   * costs one wake-up more than no wait, and giving the connection back costs another.
   */
  public boolean isWorthIt(int threads, long silence) {
    return threads <= few || silence <= TimeUnit.MILLISECONDS.toNanos(among(threads));
  }
}
