package dev.ringside.load;

import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/**
 * A clock for a load's threads that goes only when all of them wait, to the time for which the
 * first of them does. So a load does the same however slow the machine is, and what a thread does
 * at a time is done after all that others do at an earlier one.
 *
 * <p>The thread that made it drives the load. When it asks for the time a window is about to begin,
 * and each thread of the load has a part in it: none goes on before all have asked for the time or
 * wait. A thread that waits, but not for this clock, has done its part.
 */
final class ThreadsClock implements Clock {
  private static final long POLL_NANOS = 20_000;

  private final Thread driver = Thread.currentThread();
  private final int threads;
  private final Map<Thread, Long> waiting = new TreeMap<>(Comparator.comparing(Thread::getName));
  private final Set<Thread> there = new HashSet<>();
  private long now;

  /** For a load of so many threads. */
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

  /** Whether a thread does something that may take it to this clock again, at the time it is. */
  private boolean acts(Thread thread) {
    return !waiting.containsKey(thread)
        && thread.getState() != Thread.State.WAITING
        && thread.getState() != Thread.State.TERMINATED;
  }

  /** Of the thread that asks. */
  void pass(long nanos) {
    sleepUntil(nanoTime() + nanos);
  }
}
