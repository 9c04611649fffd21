package dev.ringside.http.handoff;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A pool of threads behind a queue. Selectors and workers meet at the queue's locks. */
final class PoolHandOff implements HandOff {
  private final ThreadPoolExecutor pool;

  private PoolHandOff(
      String type, BlockingQueue<Runnable> queue, int workers, RejectedExecutionHandler full) {
    pool =
        new ThreadPoolExecutor(
            workers, workers, 0, TimeUnit.SECONDS, queue, new WorkerThreads(type), full);
    pool.prestartAllCoreThreads();
  }

  /** With a queue that refuses what does not fit. */
  static PoolHandOff refusing(String type, BlockingQueue<Runnable> queue, int workers) {
    return new PoolHandOff(type, queue, workers, (task, pool) -> ((Task) task).refuse());
  }

  /** Without room to wait: where no worker is free, the selector answers itself. */
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
