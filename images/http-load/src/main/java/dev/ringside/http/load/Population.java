package dev.ringside.http.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Computes the id and value of entities from their numbers, the same in every process and run. Ids
 * are evenly distributed over all possible ids, so absent ids lie between those that exist. Safe
 * for any number of threads.
 */
final class Population {
  /** Characters of an id. */
  static final int ID_LENGTH = 16;

  private static final long SEED = 20190519;
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final int BEGINNINGS = 1 << 16;

  private final byte[] noise;
  private final int valueSize;

  Population(int valueSize) {
    this.valueSize = valueSize;
    noise = new byte[BEGINNINGS + valueSize];
    new SplittableRandom(SEED).nextBytes(noise);
  }

  /** Appends an entity's id. */
  void putId(long number, ByteBuffer to) {
    long bits = mix(number);
    for (int shift = Long.SIZE - 4; shift >= 0; shift -= 4) {
      to.put(HEX[(int) (bits >>> shift) & 0xf]);
    }
  }

  /** Appends an entity's value. */
  void putValue(long number, ByteBuffer to) {
    to.put(noise, beginning(number), valueSize);
  }

  /** Reports whether bytes are an entity's value. */
  boolean isValue(long number, byte[] bytes, int from, int to) {
    int beginning = beginning(number);
    return Arrays.equals(bytes, from, to, noise, beginning, beginning + valueSize);
  }

  /**
   * Returns the offset of an entity's value, which differs from those of the 65,535 numbers before
   * and after.
   */
  private static int beginning(long number) {
    return (int) (number & BEGINNINGS - 1);
  }

  /** Is the finalizer of SplitMix64, which maps numbers one to one. */
  private static long mix(long number) {
    long bits = number + 0x9e3779b97f4a7c15L;
    bits = (bits ^ bits >>> 30) * 0xbf58476d1ce4e5b9L;
    bits = (bits ^ bits >>> 27) * 0x94d049bb133111ebL;
    return bits ^ bits >>> 31;
  }
}
