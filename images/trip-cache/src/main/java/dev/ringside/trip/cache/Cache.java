package dev.ringside.trip.cache;

import java.io.Closeable;
import java.io.IOException;
import java.util.Map;

/**
 * Stores trips as values by a number, in memory, on disk or both. Safe for any number of threads,
 * except {@link #close}. If two threads put the same key at the same time, either value may remain.
 */
public interface Cache extends Closeable {
  /** Returns the last value of a key, or null if there is none. The caller owns the array. */
  byte[] get(long key) throws IOException;

  /**
   * Stores a value. Every get after this method returns sees it; {@link dev.ringside.store.Sync}
   * defines when it is durable. The cache owns the array from then on.
   */
  void put(long key, byte[] value) throws IOException;

  /**
   * Returns when all earlier puts are durable on the disk, if the cache supports that. Costs a sync
   * of the disk.
   */
  void flush() throws IOException;

  /**
   * Reports whether all puts are present after the process is killed and restarted. A crash of the
   * machine may still lose puts.
   */
  boolean survivesKill();

  /** Returns the cache's sizes. Costs some microseconds; the values may be some seconds old. */
  CacheSizes sizes();

  /**
   * Returns the cache's own counters by names like {@code stall_micros}. The names are always the
   * same.
   */
  default Map<String, Long> counted() {
    return Map.of();
  }

  /** Returns the class that the proof names. */
  Class<?> essence();

  /** Returns what the proof adds to the settings, for example the build of a separate server. */
  default Map<String, String> described() {
    return Map.of();
  }

  /** Closes the cache after its last use. Puts are then on disk, if the cache has one. */
  @Override
  void close() throws IOException;
}
