package dev.ringside.http.lsm;

import java.nio.ByteBuffer;

/**
 * Says of a key that a table surely does not hold it, or that it may: with {@value #BITS_PER_KEY}
 * bits per key it says so of all but one in a hundred keys that are not there.
 */
final class BloomFilter {
  private static final int BITS_PER_KEY = 10;
  private static final int HASHES = 7;
  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private final ByteBuffer words;
  private final long bits;

  /** An empty one for so many keys. */
  BloomFilter(int keys) {
    this(
        ByteBuffer.allocate(
            Math.toIntExact(Math.max(1, ((long) keys * BITS_PER_KEY + 63) / 64)) * 8));
  }

  /** One that {@link #bytes} gave. */
  BloomFilter(ByteBuffer words) {
    this.words = words;
    bits = (long) words.capacity() * Byte.SIZE;
  }

  /** What to keep of it. */
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

  /** False if the key was not added. */
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

  /** The word by the hash's upper bits, the bit in it by the lowest. */
  private int wordOf(long hash) {
    return (int) Math.multiplyHigh(hash >>> 1, bits / Long.SIZE << 1) * Long.BYTES;
  }

  /** Odd, so that it never stands still (Kirsch and Mitzenmacher). */
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

  /** The finalizer of MurmurHash3: every bit depends on every other. */
  private static long mix(long hash) {
    hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
    hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
    return hash ^ hash >>> 33;
  }
}
