package dev.ringside.http.lsm;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;

/** Converts entries from and to texts. */
final class Bytes {
  private Bytes() {}

  static byte[] of(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static String text(byte[] bytes) {
    return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
  }

  static Entry entry(String key, String value) {
    return new Entry(of(key), value == null ? null : of(value));
  }

  /**
   * Returns entries in the order of their keys; a later pair replaces an earlier one of the same
   * key.
   */
  static Iterator<Entry> sorted(List<Entry> entries) {
    TreeMap<byte[], Entry> sorted = new TreeMap<>(Arrays::compareUnsigned);
    entries.forEach(entry -> sorted.put(entry.key(), entry));
    return sorted.values().iterator();
  }

  static String text(Entry entry) {
    return entry == null ? null : text(entry.key()) + "=" + text(entry.value());
  }
}
