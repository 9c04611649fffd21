package dev.ringside.load;

import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/**
 * A clock for a load's threads that advances only when all of them wait, to the earliest time for
 * which one of them waits. So a load behaves the same on a machine of any speed, and the threads
 * act in the order of their times.
 *
 * <p>The thread that created the clock drives the load. When it reads the time, a window is about
 * to begin, and each thread of the load takes part: none continues before all have read the time or
 * wait. A thread that waits for something else has done its part.
 */
final class ThreadsClock implements Clock {
  private static final long POLL_NANOS = 20_000;

  private final Thread driver = Thread.currentThread();
  private final int threads;
  private final Map<Thread, Long> waiting = new TreeMap<>(Comparator.comparing(Thread::getName));
  private final Set<Thread> there = new HashSet<>();
  private long now;

  /** Creates a clock for a load with that number of threads. */
  ThreadsClock(int threads) {
    this.threads = threads;
  }

  @Override
  public long nanoTime() {
    synchronized (this) {
      if (Thread.currentThread() == driver) {
        there.clear();
        return now;
      }
      if (there.contains(Thread.currentThread())) {
        return now;
      }
    }
    sleepUntil(Long.MIN_VALUE);
    return nanoTime();
  }

  @Override
  public void sleepUntil(long nanos) {
    Thread me = Thread.currentThread();
    synchronized (this) {
      if (me == driver) {
        now = Math.max(now, nanos);
        return;
      }
      there.add(me);
      waiting.put(me, Math.max(now, nanos));
    }
    while (!mayGo(me)) {
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private synchronized boolean mayGo(Thread me) {
    long mine = waiting.get(me);
    if (there.size() < threads || there.stream().anyMatch(this::acts)) {
      return false;
    }
    Map.Entry<Thread, Long> first = waiting.entrySet().iterator().next();
    for (Map.Entry<Thread, Long> each : waiting.entrySet()) {
      first = each.getValue() < first.getValue() ? each : first;
    }
    if (first.getKey() != me) {
      return false;
    }
    waiting.remove(me);
    now = mine;
    return true;
  }

  /** Reports whether a thread is running and may use this clock again at the present time. */
  private boolean acts(Thread thread) {
    return !waiting.containsKey(thread)
        && thread.getState() != Thread.State.WAITING
        && thread.getState() != Thread.State.TERMINATED;
  }

  /** Lets that time pass for the calling thread. */
  void pass(long nanos) {
    sleepUntil(nanoTime() + nanos);
  }
}
