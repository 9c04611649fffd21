package dev.ringside.http.handoff;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Hands requests to a pool of threads through a queue. Selectors and workers contend for the
 * queue's locks.
 */
final class PoolHandOff implements HandOff {
  private final ThreadPoolExecutor pool;

  private PoolHandOff(
      String type, BlockingQueue<Runnable> queue, int workers, RejectedExecutionHandler full) {
    pool =
        new ThreadPoolExecutor(
            workers, workers, 0, TimeUnit.SECONDS, queue, new WorkerThreads(type), full);
    pool.prestartAllCoreThreads();
  }

  /** Creates one whose queue rejects requests that do not fit. */
  static PoolHandOff refusing(String type, BlockingQueue<Runnable> queue, int workers) {
    return new PoolHandOff(type, queue, workers, (task, pool) -> ((Task) task).refuse());
  }

  /** Creates one without a queue: if no worker is free, the selector answers the request itself. */
  static PoolHandOff callerRuns(String type, int workers) {
    return new PoolHandOff(
        type, new SynchronousQueue<>(), workers, new ThreadPoolExecutor.CallerRunsPolicy());
  }

  @Override
  public void give(Task task) {
    pool.execute(task);
  }

  @Override
  public long waiting() {
    return pool.getQueue().size();
  }

  @Override
  public Object essence() {
    return pool.getQueue();
  }

  @Override
  public void close() {
    pool.shutdown();
  }
}
