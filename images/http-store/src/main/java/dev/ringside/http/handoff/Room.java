package dev.ringside.http.handoff;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/** Limits the tasks that wait for an executor with an unbounded queue. */
final class Room {
  private final int capacity;
  private final AtomicInteger waiting = new AtomicInteger();

  Room(int capacity) {
    this.capacity = capacity;
  }

  /** Passes the task to the executor, or rejects it. Costs two atomic additions. */
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
