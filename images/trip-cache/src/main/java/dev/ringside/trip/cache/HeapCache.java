package dev.ringside.trip.cache;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Stores trips in a map in the heap, to measure the cost without persistence. The end of the
 * process loses all values, whatever the settings for syncs are.
 */
final class HeapCache implements Cache {
  private final ConcurrentMap<Long, byte[]> values = new ConcurrentHashMap<>();
  private final LongAdder bytes = new LongAdder();

  @Override
  public byte[] get(long key) {
    byte[] value = values.get(key);
    return value == null ? null : value.clone(); // the other caches return a copy, too
  }

  @Override
  public void put(long key, byte[] value) {
    byte[] before = values.put(key, value);
    bytes.add(value.length - (before == null ? 0 : before.length));
  }

  @Override
  public void flush() {
    // there is no disk
  }

  @Override
  public boolean survivesKill() {
    return false;
  }

  @Override
  public CacheSizes sizes() {
    return new CacheSizes(values.size(), 0, bytes.sum());
  }

  @Override
  public Class<?> essence() {
    return values.getClass();
  }

  @Override
  public void close() {
    values.clear();
  }
}
