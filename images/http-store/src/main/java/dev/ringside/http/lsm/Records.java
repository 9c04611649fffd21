package dev.ringside.http.lsm;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Encodes entries as records of the write-ahead log: length and CRC-32C of the rest, length of the
 * key (4 bytes each), length of the value (-1 for a removed key), key, value.
 */
final class Records {
  static final int REMOVED = -1;
  private static final int FRAME = 2 * Integer.BYTES;
  private static final int LENGTHS = 2 * Integer.BYTES;

  private Records() {}

  /** Returns the record of an entry, ready to be read. */
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
   * Reads the next entry and moves the position behind it. Returns null and does not move if no
   * complete record follows. A log ends in this way if the process or the machine ended during a
   * write.
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

  /**
   * Reports whether the three lengths at a position agree, which is unlikely where no record
   * starts.
   */
  private static boolean isHead(ByteBuffer log, int start) {
    int length = log.getInt(start);
    long key = log.getInt(start + FRAME);
    long value = log.getInt(start + FRAME + Integer.BYTES);
    return key >= 0 && value >= REMOVED && length == LENGTHS + key + (value == REMOVED ? 0 : value);
  }

  /**
   * Returns the position of a complete record after an incomplete one. Skips the bytes of a record
   * that the log's end cuts short, because its value may contain bytes like a record's.
   *
   * @param log positioned at the incomplete record; not moved
   * @return where the next complete record begins; -1 if there is none
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
