package dev.ringside.trip.cache;

import java.io.Closeable;
import java.io.IOException;
import java.util.Map;

/**
 * Where the trips are kept: values by a number, in memory, on disk or both. For any number of
 * threads, but for {@link #close}; of two that put the same key at the same time either may win.
 */
public interface Cache extends Closeable {
  /** What was put last under that key; null if nothing was. The array is the caller's own. */
  byte[] get(long key) throws IOException;

  /**
   * Puts a value, so that it is got by whoever asks once this has returned. When it survives what
   * is said by {@link dev.ringside.store.Sync}. The array is the cache's from then on.
   */
  void put(long key, byte[] value) throws IOException;

  /**
   * Returns once whatever was put before is where it survives the loss of the machine, if that is
   * possible at all. Takes a sync of the disk.
   */
  void flush() throws IOException;

  /**
   * Whether all that was put is there again when the process was killed and is started anew,
   * whatever becomes of it when the machine is lost.
   */
  boolean survivesKill();

  /** What it takes; costs some microseconds, and may be some seconds old. */
  CacheSizes sizes();

  /** What the cache itself counts, by names like {@code stall_micros}; always the same names. */
  default Map<String, Long> counted() {
    return Map.of();
  }

  /** The class that makes it what it is: the proof of what runs. */
  Class<?> essence();

  /** What a proof says of it beside its settings: whom it found, where it asked for a server. */
  default Map<String, String> described() {
    return Map.of();
  }

  /** Ends it, when nobody uses it any more; what was put is then on disk, if it ever is. */
  @Override
  void close() throws IOException;
}
