package dev.ringside.http.handoff;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/** Bounds what waits before an executor that knows no bound. */
final class Room {
  private final int capacity;
  private final AtomicInteger waiting = new AtomicInteger();

  Room(int capacity) {
    this.capacity = capacity;
  }

  /** Gives the task to the executor, or refuses it; two atomic additions. */
  void give(Task task, Executor to) {
    if (waiting.incrementAndGet() > capacity) {
      waiting.decrementAndGet();
      task.refuse();
      return;
    }
    to.execute(
        () -> {
          waiting.decrementAndGet();
          task.run();
        });
  }

  long waiting() {
    return waiting.get();
  }
}
