package dev.ringside.load;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A clock that goes for each thread only while that thread waits, so that a load does the same
 * however slow the machine is. The thread that made it drives the load: what it reads is the latest
 * time of all, and from then on it is no earlier for anybody, so that a window begins for all
 * threads when the last of them has ended the one before.
 *
 * <p>Threads must not wait for each other but where they meet between windows: what one does at a
 * time may be done before what another does at an earlier one.
 */
final class ThreadsClock implements Clock {
  private final Thread driver = Thread.currentThread();
  private final Map<Thread, Long> times = new ConcurrentHashMap<>();
  private volatile long common;

  @Override
  public long nanoTime() {
    if (Thread.currentThread() == driver) {
      common = times.values().stream().mapToLong(Long::longValue).reduce(common, Math::max);
      return common;
    }
    return Math.max(common, times.getOrDefault(Thread.currentThread(), 0L));
  }

  @Override
  public void sleepUntil(long nanos) {
    times.merge(Thread.currentThread(), nanos, Math::max);
  }

  /** Of the thread that asks. */
  void pass(long nanos) {
    sleepUntil(nanoTime() + nanos);
  }
}
