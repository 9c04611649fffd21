package dev.ringside.http.lsm;

import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A store's own threads: flushes, merges and syncs go on side by side, each kind one at a time. */
final class Background implements AutoCloseable {
  private final Consumer<Throwable> failed;
  private final ScheduledExecutorService flusher = thread("flush");
  private final ScheduledExecutorService compactor = thread("compact");
  private final ScheduledExecutorService syncer = thread("sync");

  /** What is done there. */
  interface Work {
    void run() throws Exception;
  }

  /**
   * Starts no thread yet.
   *
   * @param failed is told what a piece of work failed with
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
      // The store is being closed: it will be merged the next time.
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

  /** Waits for what is under way or was ordered. */
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
