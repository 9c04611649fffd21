package dev.ringside.http.lsm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.zip.CRC32C;

/**
 * Is an immutable table on disk, mapped into memory. A lookup is a binary search over the keys; a
 * Bloom filter avoids most lookups of absent keys. Safe for any number of threads.
 *
 * <p>The file: entries in the order of their keys (length of the key, length of the value or -1,
 * key, value), the offset of each entry, the filter's bits or nothing, and the footer (number of
 * entries, offset of the offsets, length of the filter, CRC-32C of all before, {@link #MAGIC}).
 * Lengths and offsets have 4 bytes: a table is smaller than 2 GiB.
 */
final class SortedTable {
  static final int MAGIC = 0x52534454;
  static final int ENTRY_HEAD = 2 * Integer.BYTES;
  static final int FOOTER = 5 * Integer.BYTES;

  private final Folder.Range range;
  private final ByteBuffer file;
  private final int count;
  private final int offsets;
  private final BloomFilter filter;

  private SortedTable(Folder.Range range, ByteBuffer file) {
    this.range = range;
    this.file = file;
    int footer = file.limit() - FOOTER;
    count = file.getInt(footer);
    offsets = file.getInt(footer + 4);
    int filterBytes = file.getInt(footer + 8);
    filter =
        filterBytes == 0 ? null : new BloomFilter(file.slice(footer - filterBytes, filterBytes));
  }

  /**
   * Maps a table, and reads all of it once to verify its checksum.
   *
   * @throws IOException if the file cannot be read or is damaged
   */
  static SortedTable open(Folder.Range range, Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      MappedByteBuffer file = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
      if (!whole(file)) {
        throw new IOException(
            path
                + " is damaged: put it back from a copy, or remove the store's folder to start empty");
      }
      return new SortedTable(range, file);
    }
  }

  private static boolean whole(ByteBuffer file) {
    int footer = file.limit() - FOOTER;
    if (footer < 0 || file.getInt(footer + 16) != MAGIC) {
      return false;
    }
    CRC32C crc = new CRC32C();
    crc.update(file.slice(0, footer + 12));
    return file.getInt(footer + 12) == (int) crc.getValue();
  }

  /** Returns the generations that the table holds. */
  Folder.Range range() {
    return range;
  }

  /** Returns the number of entries, including those of removed keys. */
  int count() {
    return count;
  }

  /** Returns the size of the file in bytes. */
  int bytes() {
    return file.limit();
  }

  boolean hasFilter() {
    return filter != null;
  }

  /** Reports whether the filter excludes the key, so that a lookup is not needed. */
  boolean surelyLacks(byte[] key) {
    return filter != null && !filter.mayHold(key);
  }

  /** Returns the entry of a key, or null if this table has none. */
  Entry get(byte[] key) {
    int low = 0;
    int high = count - 1;
    while (low <= high) {
      int middle = low + high >>> 1;
      int offset = file.getInt(offsets + middle * Integer.BYTES);
      int order = compare(offset, key);
      if (order == 0) {
        return entryAt(offset);
      } else if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return null;
  }

  /** Compares an entry's key with another key, as unsigned bytes. */
  private int compare(int offset, byte[] key) {
    int length = file.getInt(offset);
    int common = Math.min(length, key.length);
    int at = offset + ENTRY_HEAD;
    for (int i = 0; i < common; i++) {
      int order = Byte.compareUnsigned(file.get(at + i), key[i]);
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(length, key.length);
  }

  private Entry entryAt(int offset) {
    byte[] key = new byte[file.getInt(offset)];
    int valueLength = file.getInt(offset + Integer.BYTES);
    file.get(offset + ENTRY_HEAD, key);
    byte[] value = valueLength == Records.REMOVED ? null : new byte[valueLength];
    if (value != null) {
      file.get(offset + ENTRY_HEAD + key.length, value);
    }
    return new Entry(key, value);
  }

  /** Returns all entries in order. */
  Iterator<Entry> entries() {
    return new Iterator<>() {
      private int next;

      @Override
      public boolean hasNext() {
        return next < count;
      }

      @Override
      public Entry next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        return entryAt(file.getInt(offsets + next++ * Integer.BYTES));
      }
    };
  }
}
