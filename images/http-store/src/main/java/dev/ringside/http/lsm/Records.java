package dev.ringside.http.lsm;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * How an entry stands in the write-ahead log: length and CRC-32C of what follows, length of the key
 * (4 bytes each), length of the value (-1 for a removed key), key, value.
 */
final class Records {
  static final int REMOVED = -1;
  private static final int FRAME = 2 * Integer.BYTES;
  private static final int LENGTHS = 2 * Integer.BYTES;

  private Records() {}

  /** The entry's record, ready to be read. */
  static ByteBuffer encode(Entry entry) {
    byte[] value = entry.value();
    int length = LENGTHS + entry.key().length + (value == null ? 0 : value.length);
    ByteBuffer record = ByteBuffer.allocate(FRAME + length);
    record.position(FRAME);
    record.putInt(entry.key().length).putInt(value == null ? REMOVED : value.length);
    record.put(entry.key());
    if (value != null) {
      record.put(value);
    }
    record.putInt(0, length).putInt(Integer.BYTES, crc(record.array(), FRAME, length));
    return record.flip();
  }

  /**
   * Reads the next entry and moves on; null, without moving, if what is there is no whole record: a
   * log ends so where the process or the machine ended in the middle of a write.
   */
  static Entry decode(ByteBuffer log) {
    int start = log.position();
    if (log.remaining() < FRAME + LENGTHS) {
      return null;
    }
    int length = log.getInt(start);
    if (length > log.remaining() - FRAME || !isHead(log, start)) {
      return null;
    }
    byte[] body = new byte[length];
    log.get(start + FRAME, body);
    if (crc(body, 0, length) != log.getInt(start + Integer.BYTES)) {
      return null;
    }
    log.position(start + FRAME + length);
    ByteBuffer in = ByteBuffer.wrap(body);
    byte[] key = new byte[in.getInt()];
    int valueLength = in.getInt();
    in.get(key);
    byte[] value = valueLength == REMOVED ? null : new byte[valueLength];
    if (value != null) {
      in.get(value);
    }
    return new Entry(key, value);
  }

  /** Whether the three lengths that stand there agree, as in what is no record they hardly will. */
  private static boolean isHead(ByteBuffer log, int start) {
    int length = log.getInt(start);
    long key = log.getInt(start + FRAME);
    long value = log.getInt(start + FRAME + Integer.BYTES);
    return key >= 0 && value >= REMOVED && length == LENGTHS + key + (value == REMOVED ? 0 : value);
  }

  /**
   * Looks for a whole record behind one that is not whole. What belongs to a record that the log's
   * end cuts short is none, though a value may look like a record.
   *
   * @param log at the record that is not whole; not moved
   * @return where the next whole one begins; -1 if there is none
   */
  static int findNext(ByteBuffer log) {
    ByteBuffer at = log.duplicate();
    int start = log.position();
    if (log.remaining() >= FRAME + LENGTHS && isHead(log, start)) {
      long end = (long) start + FRAME + log.getInt(start);
      if (end > log.limit()) {
        return -1;
      }
      start = (int) end;
    } else {
      start++;
    }
    for (; start <= log.limit() - FRAME - LENGTHS; start++) {
      if (isHead(log, start) && decode(at.position(start)) != null) {
        return start;
      }
    }
    return -1;
  }

  private static int crc(byte[] bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, length);
    return (int) crc.getValue();
  }
}
