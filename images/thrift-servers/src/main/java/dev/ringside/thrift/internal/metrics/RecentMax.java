package dev.ringside.thrift.internal.metrics;

import java.util.concurrent.TimeUnit;

/**
 * Holds the largest value of the last one to two minutes. Reading changes nothing, so that any
 * number of monitors can read it. Thread-safe; a value that is added while a minute ends may be
 * missed.
 */
public final class RecentMax {
  private static final long PERIOD_NANOS = TimeUnit.MINUTES.toNanos(1);

  private long began = System.nanoTime();
  private volatile long current;
  private volatile long previous;

  /**
   * Adds a value.
   *
   * @param now System.nanoTime()
   */
  public void add(long value, long now) {
    if (value > current || now - began >= PERIOD_NANOS) {
      addLarge(value, now);
    }
  }

  private synchronized void addLarge(long value, long now) {
    age(now);
    current = Math.max(current, value);
  }

  public synchronized long get(long now) {
    age(now);
    return Math.max(current, previous);
  }

  private void age(long now) {
    long periods = (now - began) / PERIOD_NANOS;
    if (periods > 0) {
      previous = periods == 1 ? current : 0;
      current = 0;
      began += periods * PERIOD_NANOS;
    }
  }
}
