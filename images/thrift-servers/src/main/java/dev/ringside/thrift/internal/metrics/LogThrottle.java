package dev.ringside.thrift.internal.metrics;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits a log line to one per second and counts the lines that were left out, because clients must
 * not be able to fill the log. Lock-free.
 */
public final class LogThrottle {
  private static final long PERIOD_NANOS = 1_000_000_000L;

  private final AtomicLong next;
  private final AtomicInteger unsaid = new AtomicInteger();

  /**
   * Creates a limit.
   *
   * @param now System.nanoTime()
   */
  public LogThrottle(long now) {
    next = new AtomicLong(now);
  }

  /**
   * Asks whether to log now.
   *
   * @return how many lines were left out since the last one, or -1 to leave this one out
   */
  public int ask(long now) {
    long due = next.get();
    if (now - due >= 0 && next.compareAndSet(due, now + PERIOD_NANOS)) {
      return unsaid.getAndSet(0);
    }
    unsaid.incrementAndGet();
    return -1;
  }
}
