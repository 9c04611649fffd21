package dev.ringside.http.lsm;

import java.nio.ByteBuffer;

/**
 * Reports that a table does not hold a key, or that it may hold it. With {@value #BITS_PER_KEY}
 * bits per key, about 1% of the lookups of absent keys are not filtered.
 */
final class BloomFilter {
  private static final int BITS_PER_KEY = 10;
  private static final int HASHES = 7;
  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private final ByteBuffer words;
  private final long bits;

  /** Creates an empty filter for a number of keys. */
  BloomFilter(int keys) {
    this(
        ByteBuffer.allocate(
            Math.toIntExact(Math.max(1, ((long) keys * BITS_PER_KEY + 63) / 64)) * 8));
  }

  /** Creates a filter from the result of {@link #bytes}. */
  BloomFilter(ByteBuffer words) {
    this.words = words;
    bits = (long) words.capacity() * Byte.SIZE;
  }

  /** Returns the filter's content, for the table's file. */
  ByteBuffer bytes() {
    return words.duplicate().clear();
  }

  void add(byte[] key) {
    long hash = hash(key);
    long step = step(hash);
    for (int i = 0; i < HASHES; i++, hash += step) {
      int word = wordOf(hash);
      words.putLong(word, words.getLong(word) | 1L << hash);
    }
  }

  /** Returns false if the key was not added. */
  boolean mayHold(byte[] key) {
    long hash = hash(key);
    long step = step(hash);
    for (int i = 0; i < HASHES; i++, hash += step) {
      if ((words.getLong(wordOf(hash)) & 1L << hash) == 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the offset of a word by the hash's upper bits. The lowest bits select the bit in it.
   */
  private int wordOf(long hash) {
    return (int) Math.multiplyHigh(hash >>> 1, bits / Long.SIZE << 1) * Long.BYTES;
  }

  /** Returns an odd step, so that it is never zero (double hashing by Kirsch and Mitzenmacher). */
  private static long step(long hash) {
    return mix(hash) | 1;
  }

  private static long hash(byte[] key) {
    long hash = FNV_OFFSET;
    for (byte b : key) {
      hash = (hash ^ b) * FNV_PRIME;
    }
    return mix(hash);
  }

  /** Is the finalizer of MurmurHash3: every bit of the result depends on every bit of the hash. */
  private static long mix(long hash) {
    hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
    hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
    return hash ^ hash >>> 33;
  }
}
