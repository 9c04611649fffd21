package dev.ringside.trip.store;

import dev.ringside.trip.cache.Cache;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Acknowledges packets after a sync that began when all their points were in the cache. One thread
 * syncs repeatedly for all packets that are complete, so a slow disk makes each sync cover more
 * packets.
 */
final class SyncedAcknowledger implements Acknowledger {
  private static final long PATIENCE_SECONDS = 10;

  private final BlockingQueue<PendingPacket> complete = new LinkedBlockingQueue<>();
  private final Cache cache;
  private final Consumer<Throwable> failed;
  private final Thread thread;
  private volatile boolean closed;

  /**
   * Starts the thread.
   *
   * @param failed receives the error if a sync fails; nothing is acknowledged after that
   */
  SyncedAcknowledger(String name, Cache cache, Consumer<Throwable> failed) {
    this.cache = cache;
    this.failed = failed;
    thread = new Thread(this::run, name + "-sync");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void complete(PendingPacket packet) {
    complete.add(packet);
  }

  private void run() {
    List<PendingPacket> synced = new ArrayList<>();
    try {
      while (!closed) {
        PendingPacket first = complete.poll(1, TimeUnit.SECONDS);
        if (first == null) {
          continue;
        }
        synced.add(first);
        complete.drainTo(synced);
        cache.flush();
        synced.forEach(packet -> packet.sender().acknowledge(packet));
        synced.clear();
      }
    } catch (InterruptedException e) {
      // closed
    } catch (Throwable e) { // an Error also ends the thread
      failed.accept(e);
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
