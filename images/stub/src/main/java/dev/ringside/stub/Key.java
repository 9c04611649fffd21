package dev.ringside.stub;

import java.util.Arrays;

/** A key, ordered by its unsigned bytes. The bytes are not copied and must not change. */
final class Key implements Comparable<Key> {
  private final byte[] bytes;

  Key(byte[] bytes) {
    this.bytes = bytes;
  }

  byte[] bytes() {
    return bytes;
  }

  @Override
  public int compareTo(Key other) {
    int common = Math.min(bytes.length, other.bytes.length);
    for (int i = 0; i < common; i++) {
      int difference = (bytes[i] & 0xff) - (other.bytes[i] & 0xff);
      if (difference != 0) {
        return difference;
      }
    }
    return bytes.length - other.bytes.length;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Key && Arrays.equals(bytes, ((Key) other).bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }
}
