package dev.ringside.http.handoff;

import java.util.concurrent.ForkJoinPool;

/**
 * Hands requests to a pool whose threads have a queue each and steal from one another. The queues
 * are first in, first out.
 */
final class ForkJoinHandOff implements HandOff {
  private final ForkJoinPool pool;
  private final Room room;

  ForkJoinHandOff(int workers, int capacity) {
    pool = new ForkJoinPool(workers, ForkJoinPool.defaultForkJoinWorkerThreadFactory, null, true);
    room = new Room(capacity);
  }

  @Override
  public void give(Task task) {
    room.give(task, pool);
  }

  @Override
  public long waiting() {
    return room.waiting();
  }

  @Override
  public Object essence() {
    return pool;
  }

  @Override
  public void close() {
    pool.shutdown();
  }
}
