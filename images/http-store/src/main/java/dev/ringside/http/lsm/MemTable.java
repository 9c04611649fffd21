package dev.ringside.http.lsm;

import java.util.Arrays;
import java.util.Collection;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The newest entries, in order, in memory. For one writer at a time and any number of readers, who
 * wait for nobody.
 */
final class MemTable {
  /** What a skip list's node and an entry take beside key and value, roughly. */
  private static final int OVERHEAD = 96;

  private final ConcurrentSkipListMap<byte[], Entry> entries =
      new ConcurrentSkipListMap<>(Arrays::compareUnsigned);
  private final AtomicLong bytes = new AtomicLong();

  /** Keeps the arrays. */
  void put(Entry entry) {
    Entry before = entries.put(entry.key(), entry);
    bytes.addAndGet(sizeOf(entry) - (before == null ? 0 : sizeOf(before)));
  }

  private static long sizeOf(Entry entry) {
    return OVERHEAD + entry.key().length + (entry.value() == null ? 0 : entry.value().length);
  }

  /** Null if this table knows nothing of the key. */
  Entry get(byte[] key) {
    return entries.get(key);
  }

  /** In the order of their keys. */
  Collection<Entry> entries() {
    return entries.values();
  }

  int count() {
    return entries.size();
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  /** What it takes of the heap, roughly. */
  long bytes() {
    return bytes.get();
  }
}
