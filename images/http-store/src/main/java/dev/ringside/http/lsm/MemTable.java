package dev.ringside.http.lsm;

import java.util.Arrays;
import java.util.Collection;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Holds the newest entries in memory, sorted by key. Supports one writer at a time and any number
 * of readers; readers never wait.
 */
final class MemTable {
  /** Approximate bytes of a skip list's node and an entry, without key and value. */
  private static final int OVERHEAD = 96;

  private final ConcurrentSkipListMap<byte[], Entry> entries =
      new ConcurrentSkipListMap<>(Arrays::compareUnsigned);
  private final AtomicLong bytes = new AtomicLong();

  /** Adds an entry. The table keeps the arrays. */
  void put(Entry entry) {
    Entry before = entries.put(entry.key(), entry);
    bytes.addAndGet(sizeOf(entry) - (before == null ? 0 : sizeOf(before)));
  }

  private static long sizeOf(Entry entry) {
    return OVERHEAD + entry.key().length + (entry.value() == null ? 0 : entry.value().length);
  }

  /** Returns the entry of a key, or null if this table has none. */
  Entry get(byte[] key) {
    return entries.get(key);
  }

  /** Returns the entries in the order of their keys. */
  Collection<Entry> entries() {
    return entries.values();
  }

  int count() {
    return entries.size();
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  /** Returns the approximate size in the heap in bytes. */
  long bytes() {
    return bytes.get();
  }
}
