package dev.ringside.thrift;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Something that loops wait for, with connections that they have put off: room in the ring, or read
 * memory. Who gives some of it back wakes them. From any thread.
 */
final class Shortage {
  private final AtomicInteger loops = new AtomicInteger();
  private final Runnable wakeLoops;

  Shortage(Runnable wakeLoops) {
    this.wakeLoops = wakeLoops;
  }

  /** A loop begins to wait. */
  void begins() {
    loops.incrementAndGet();
  }

  /** A loop waits no more. */
  void ends() {
    loops.decrementAndGet();
  }

  /** How many loops wait. */
  int loops() {
    return loops.get();
  }

  /** Has what was written before seen by whoever eases it from now on. */
  void fence() {
    loops.getAndAdd(0);
  }

  /** To be called after some of it was given back. One volatile read if nobody waits. */
  void eased() {
    if (loops.get() > 0) {
      wakeLoops.run();
    }
  }
}
