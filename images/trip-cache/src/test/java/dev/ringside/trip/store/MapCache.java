package dev.ringside.trip.store;

import dev.ringside.trip.cache.Cache;
import dev.ringside.trip.cache.CacheSizes;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** Is a cache that counts its calls, fails on request, and waits for a permit before each sync. */
final class MapCache implements Cache {
  final Map<Long, byte[]> values = new ConcurrentHashMap<>();
  final AtomicInteger gets = new AtomicInteger();
  final AtomicInteger puts = new AtomicInteger();
  final AtomicInteger flushes = new AtomicInteger();
  final Semaphore mayFlush = new Semaphore(0);
  volatile boolean broken;
  volatile String error = "";

  @Override
  public byte[] get(long key) {
    gets.incrementAndGet();
    return values.get(key);
  }

  @Override
  public void put(long key, byte[] value) throws IOException {
    if (broken) {
      throw new IOException("no space left on device");
    }
    throwIf("put");
    puts.incrementAndGet();
    values.put(key, value);
  }

  @Override
  public void flush() {
    throwIf("flush");
    mayFlush.acquireUninterruptibly();
    flushes.incrementAndGet();
  }

  private void throwIf(String what) {
    if (error.equals(what)) {
      throw new OutOfMemoryError("out of memory");
    }
  }

  @Override
  public boolean survivesKill() {
    return false;
  }

  @Override
  public CacheSizes sizes() {
    return new CacheSizes(values.size(), 0, 0);
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
