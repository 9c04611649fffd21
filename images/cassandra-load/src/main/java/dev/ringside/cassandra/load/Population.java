package dev.ringside.cassandra.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Keys and columns that are identical, byte for byte, to those that cassandra-stress 3.11 creates
 * for the same numbers, so that either load can read what the other wrote. All content follows from
 * the number of the key, so that a read can verify its result. For one thread; a row takes some
 * microseconds.
 */
final class Population {
  /** The length of a key in bytes. */
  static final int KEY_SIZE = 10;

  /** The upper bound of the numbers that seed content; the lower bound is 1. */
  private static final long IDENTITIES = 100_000_000_000L;

  private static final int LETTERS_PER_DRAW = 16;
  private static final long KEY_SALT = Salt.of("randomstrkey");

  private final Random identity = new Random();
  private final StressRandom content = new StressRandom();
  private final List<String> names;
  private final long[] salts;
  private final int columnSize;

  Population(int columns, int columnSize) {
    this.columnSize = columnSize;
    names = names(columns);
    salts = names.stream().mapToLong(name -> Salt.of("randomstr" + name)).toArray();
  }

  /** Returns the names of the columns in Cassandra's order. */
  static List<String> names(int columns) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      names.add("C" + i);
    }
    Collections.sort(names);
    return names;
  }

  /** Returns the names encoded for Thrift. */
  static List<ByteBuffer> encoded(List<String> names) {
    List<ByteBuffer> encoded = new ArrayList<>();
    for (String name : names) {
      encoded.add(ByteBuffer.wrap(name.getBytes(StandardCharsets.US_ASCII)));
    }
    return encoded;
  }

  /** Returns the key with that number, from 1. */
  byte[] key(long number) {
    identity.setSeed(number ^ KEY_SALT);
    nextIdentity(); // cassandra-stress draws one for the size, which is fixed
    byte[] key = new byte[KEY_SIZE];
    for (int i = 0; i < KEY_SIZE; i += LETTERS_PER_DRAW) {
      long letters = nextIdentity();
      for (int j = i; j < Math.min(i + LETTERS_PER_DRAW, KEY_SIZE); j++) {
        int letter = (int) (letters & 15);
        // As in cassandra-stress: 0 to 9 and K to P.
        key[j] = (byte) ((letter < 10 ? '0' : 'A') + letter);
        letters >>>= 4;
      }
    }
    return key;
  }

  /** Returns the values of the row with that key, in the order of the names. */
  byte[][] values(byte[] key) {
    long seed = 0;
    for (byte each : key) {
      seed = 31 * seed + each;
    }
    byte[][] values = new byte[salts.length][];
    for (int i = 0; i < values.length; i++) {
      identity.setSeed(seed ^ salts[i]);
      content.setSeed(~nextIdentity());
      values[i] = value();
    }
    return values;
  }

  private byte[] value() {
    byte[] value = new byte[columnSize];
    for (int i = 0; i < columnSize; ) {
      long bytes = content.nextLong();
      for (int end = Math.min(i + Long.BYTES, columnSize); i < end; i++) {
        value[i] = (byte) bytes;
        bytes >>= Byte.SIZE;
      }
    }
    return value;
  }

  private long nextIdentity() {
    double drawn = identity.nextDouble();
    long next = (long) (drawn * (IDENTITIES + 1) + (1 - drawn));
    return Math.max(1, Math.min(IDENTITIES, next));
  }
}
