package dev.ringside.cassandra;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.concurrent.NamedThreadFactory;

/**
 * Creates the worker pools of all servers of this plugin. They resemble Cassandra's own: they grow
 * from the minimum to the maximum number of threads, and an idle thread ends after a minute. The
 * threads are Cassandra's, because session state is in a Netty FastThreadLocal.
 */
final class WorkerPools {
  private static final long IDLE_SECONDS = 60;

  private WorkerPools() {}

  /**
   * Returns a pool whose caller waits while all workers are busy. Cassandra's own pool would reject
   * the request, and libthrift would then close the connection.
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
