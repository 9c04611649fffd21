package dev.ringside.trip.cache;

import java.nio.ByteBuffer;

/** Keys as bytes, in the order of the numbers without a sign. */
final class Keys {
  private Keys() {}

  static byte[] of(long key) {
    return ByteBuffer.allocate(Long.BYTES).putLong(key).array();
  }
}
