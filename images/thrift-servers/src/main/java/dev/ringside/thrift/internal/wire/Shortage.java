package dev.ringside.thrift.internal.wire;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Represents a resource that loops wait for, with connections that they have put off: room in the
 * ring, or read memory. A thread that gives some of it back wakes them. Thread-safe.
 */
public final class Shortage {
  private final AtomicInteger loops = new AtomicInteger();
  private final Runnable wakeLoops;

  public Shortage(Runnable wakeLoops) {
    this.wakeLoops = wakeLoops;
  }

  /** Records that a loop begins to wait. */
  public void begins() {
    loops.incrementAndGet();
  }

  /** Records that a loop stops waiting. */
  public void ends() {
    loops.decrementAndGet();
  }

  /** Returns how many loops wait. */
  public int loops() {
    return loops.get();
  }

  /** Makes earlier writes visible to threads that call {@link #eased} from now on. */
  public void fence() {
    loops.getAndAdd(0);
  }

  /** Wakes waiting loops, after some of it was given back. One volatile read if none waits. */
  public void eased() {
    if (loops.get() > 0) {
      wakeLoops.run();
    }
  }
}
