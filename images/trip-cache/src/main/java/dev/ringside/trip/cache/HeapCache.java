package dev.ringside.trip.cache;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * A map in the heap: what the trips cost without any persistence. Nothing of it survives its
 * process, whatever the settings say of syncs.
 */
final class HeapCache implements Cache {
  private final ConcurrentMap<Long, byte[]> values = new ConcurrentHashMap<>();
  private final LongAdder bytes = new LongAdder();

  @Override
  public byte[] get(long key) {
    byte[] value = values.get(key);
    return value == null ? null : value.clone(); // as the others do
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
