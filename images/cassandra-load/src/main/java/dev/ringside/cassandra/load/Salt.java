package dev.ringside.cassandra.load;

import java.nio.charset.StandardCharsets;

/**
 * The salt that distinguishes the generators of cassandra-stress: the first half of MurmurHash3
 * (x64, 128 bits) of a generator's name. The names here are short, so only the tail of the hash is
 * implemented.
 */
final class Salt {
  private static final long C1 = 0x87c37b91114253d5L;
  private static final long C2 = 0x4cf5ad432745937fL;
  private static final int HALF = 8;
  private static final int BLOCK = 16;

  private Salt() {}

  /** Returns the salt of a name of fewer than 16 ASCII letters. */
  static long of(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
    if (bytes.length >= BLOCK) {
      throw new IllegalArgumentException(name + " has " + BLOCK + " letters or more");
    }
    long low = 0;
    long high = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (i < HALF) {
        low |= (long) bytes[i] << HALF * i;
      } else {
        high |= (long) bytes[i] << HALF * (i - HALF);
      }
    }
    long h1 = Long.rotateLeft(low * C1, 31) * C2;
    long h2 = Long.rotateLeft(high * C2, 33) * C1;
    h1 ^= bytes.length;
    h2 ^= bytes.length;
    h1 += h2;
    h2 += h1;
    return mix(h1) + mix(h2);
  }

  private static long mix(long hash) {
    long mixed = hash;
    mixed ^= mixed >>> 33;
    mixed *= 0xff51afd7ed558ccdL;
    mixed ^= mixed >>> 33;
    mixed *= 0xc4ceb9fe1a85ec53L;
    mixed ^= mixed >>> 33;
    return mixed;
  }
}
