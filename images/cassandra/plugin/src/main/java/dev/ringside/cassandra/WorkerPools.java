package dev.ringside.cassandra;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.concurrent.NamedThreadFactory;

/**
 * The pool of workers that every server of this plugin gets: the shape of Cassandra's own (grows
 * from the least to the greatest number of threads, an idle one ends after a minute), on
 * Cassandra's threads, because session state lives in a Netty FastThreadLocal.
 */
final class WorkerPools {
  private static final long IDLE_SECONDS = 60;

  private WorkerPools() {}

  /**
   * A pool whose caller waits while all workers are busy. Cassandra's own would reject the request,
   * for which libthrift closes the connection.
   */
  static ThreadPoolExecutor create(String name, int minThreads, int maxThreads) {
    return new ThreadPoolExecutor(
        Math.min(minThreads, maxThreads),
        maxThreads,
        IDLE_SECONDS,
        TimeUnit.SECONDS,
        new SynchronousQueue<>(),
        new NamedThreadFactory(name),
        WorkerPools::waitForWorker);
  }

  private static void waitForWorker(Runnable task, ThreadPoolExecutor pool) {
    try {
      while (!pool.isShutdown()) {
        if (pool.getQueue().offer(task, 1, TimeUnit.SECONDS)) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new RejectedExecutionException("the server is stopping");
  }
}
