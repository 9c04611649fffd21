package dev.ringside.thrift.internal.wire;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Represents a resource that loops wait for, with connections that they have put off: room in the
 * ring, or memory. A thread that gives some of it back wakes them. Thread-safe.
 */
public final class Shortage {
  private final AtomicInteger loops = new AtomicInteger();
  private final AtomicLong easings = new AtomicLong();
  private final Runnable wakeLoops;
  private volatile long since;

  public Shortage(Runnable wakeLoops) {
    this.wakeLoops = wakeLoops;
  }

  /** Records that a loop begins to wait. What is given back after this wakes it. */
  public void begins() {
    if (loops.getAndIncrement() == 0) {
      since = System.nanoTime();
    }
  }

  /** Records that a loop stops waiting. */
  public void ends() {
    loops.decrementAndGet();
  }

  /** Returns how many loops wait. */
  public int loops() {
    return loops.get();
  }

  /** Reports whether loops have waited for that long. */
  public boolean lasts(long nanos) {
    return loops.get() > 0 && System.nanoTime() - since > nanos;
  }

  /** Wakes waiting loops, after some of it was given back. One volatile read if none waits. */
  public void eased() {
    if (loops.get() > 0) {
      easings.incrementAndGet();
      wakeLoops.run();
    }
  }

  /** Returns how often some of it was given back while loops waited. */
  public long easings() {
    return easings.get();
  }
}
