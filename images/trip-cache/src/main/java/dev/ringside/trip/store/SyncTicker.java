package dev.ringside.trip.store;

import dev.ringside.trip.cache.Cache;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Syncs a cache periodically on its own thread. */
final class SyncTicker implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 10;

  private final Cache cache;
  private final long millis;
  private final Consumer<Throwable> failed;
  private final Thread thread;

  /**
   * Starts the thread.
   *
   * @param millis milliseconds from the end of one sync to the start of the next
   * @param failed receives the error if a sync fails; there are no further syncs
   */
  SyncTicker(String name, Cache cache, long millis, Consumer<Throwable> failed) {
    this.cache = cache;
    this.millis = millis;
    this.failed = failed;
    thread = new Thread(this::run, name + "-sync");
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      while (true) {
        TimeUnit.MILLISECONDS.sleep(millis);
        cache.flush();
      }
    } catch (InterruptedException e) {
      // closed
    } catch (Throwable e) { // an Error also ends the thread
      failed.accept(e);
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
