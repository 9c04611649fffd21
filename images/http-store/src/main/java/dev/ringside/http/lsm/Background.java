package dev.ringside.http.lsm;

import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs a store's background work: flushes, merges and syncs have one thread each, so one kind does
 * not wait for another.
 */
final class Background implements AutoCloseable {
  private final Consumer<Throwable> failed;
  private final ScheduledExecutorService flusher = thread("flush");
  private final ScheduledExecutorService compactor = thread("compact");
  private final ScheduledExecutorService syncer = thread("sync");

  /** Is a piece of background work. */
  interface Work {
    void run() throws Exception;
  }

  /**
   * Creates the executors. Threads start with the first work.
   *
   * @param failed receives the failure of a piece of work
   */
  Background(Consumer<Throwable> failed) {
    this.failed = failed;
  }

  private static ScheduledExecutorService thread(String name) {
    return Executors.newSingleThreadScheduledExecutor(
        work -> {
          Thread thread = new Thread(work, name);
          thread.setDaemon(true);
          return thread;
        });
  }

  void flush(Work work) {
    flusher.execute(() -> run(work));
  }

  void compact(Work work) {
    try {
      compactor.execute(() -> run(work));
    } catch (RejectedExecutionException e) {
      // The store is being closed; the next start merges the tables.
    }
  }

  void every(int millis, Work work) {
    syncer.scheduleWithFixedDelay(() -> run(work), millis, millis, TimeUnit.MILLISECONDS);
  }

  private void run(Work work) {
    try {
      work.run();
    } catch (Throwable e) {
      failed.accept(e);
    }
  }

  /** Waits for work that is running or queued. */
  @Override
  public void close() {
    for (ScheduledExecutorService each :
        new ScheduledExecutorService[] {syncer, compactor, flusher}) {
      each.shutdown();
      boolean ended = false;
      while (!ended) {
        try {
          ended = each.awaitTermination(1, TimeUnit.HOURS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }
  }
}
