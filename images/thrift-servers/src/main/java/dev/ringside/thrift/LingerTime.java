package dev.ringside.thrift;

import java.util.concurrent.TimeUnit;

/**
 * How long a worker waits for its connection's next request. A thread that has nothing to do stays
 * for half a minute anyway, so a few may as well stay with their connections: requests that come
 * seconds apart then cost the wakeups of a thread per connection, and no more. Of many threads, or
 * where few more may be started, each leaves soon: connections that are hardly active share them,
 * and a new one need not wait until a worker is recalled.
 */
final class LingerTime {
  /** Threads up to which they are few, some 12 MB; half of the limit where that is less. */
  static final int FEW_THREADS = 64;

  /**
   * Where there are more, in milliseconds: what a client may take for its next request and still be
   * active.
   */
  static final long AMONG_MANY_MILLIS = 100;

  private final long millis;
  private final int few;

  /**
   * @param millis the longest time; 0 for not at all
   * @param maxThreads that the server may have
   * @param idleTimeoutNanos after which the loop closes what has been still, and it can look only
   *     after a connection that no worker keeps; 0 for never
   */
  LingerTime(long millis, int maxThreads, long idleTimeoutNanos) {
    few = Math.min(FEW_THREADS, maxThreads / 2);
    long idleMillis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(idleTimeoutNanos));
    this.millis = idleTimeoutNanos > 0 ? Math.min(millis, idleMillis) : millis;
  }

  boolean isOff() {
    return millis == 0;
  }

  /** In milliseconds, where the server has so many threads. */
  long among(int threads) {
    return threads <= few ? millis : Math.min(millis, AMONG_MANY_MILLIS);
  }

  /**
   * Whether it is worth waiting for a client that was silent for so many nanoseconds before its
   * last request. Of few threads always: they would be idle. Among many a wait in vain costs a
   * wake-up more than none, and giving the connection back another.
   */
  boolean isWorthIt(int threads, long silence) {
    return threads <= few || silence <= TimeUnit.MILLISECONDS.toNanos(among(threads));
  }
}
