package dev.ringside.stub;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** The map, in memory. Safe for any number of threads. Arrays are not copied. */
final class KeyValueStore {
  private final ConcurrentNavigableMap<Key, byte[]> records = new ConcurrentSkipListMap<>();

  /** Returns the value of a key; null if the key does not exist. */
  byte[] get(byte[] key) {
    return records.get(new Key(key));
  }

  List<Record> scan(byte[] start, int limit) {
    List<Record> found = new ArrayList<>();
    if (limit < 1) {
      return found;
    }
    for (Map.Entry<Key, byte[]> entry : records.tailMap(new Key(start)).entrySet()) {
      found.add(new Record(entry.getKey().bytes(), entry.getValue()));
      if (found.size() == limit) {
        break;
      }
    }
    return found;
  }

  Status put(byte[] key, byte[] value) {
    records.put(new Key(key), value);
    return Status.OK;
  }

  Status insert(byte[] key, byte[] value) {
    return records.putIfAbsent(new Key(key), value) == null ? Status.OK : Status.EXISTS;
  }

  Status update(byte[] key, byte[] value) {
    return records.replace(new Key(key), value) != null ? Status.OK : Status.NOT_FOUND;
  }

  Status remove(byte[] key) {
    return records.remove(new Key(key)) != null ? Status.OK : Status.NOT_FOUND;
  }
}
