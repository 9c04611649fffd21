package dev.ringside.trip.cache;

import java.nio.ByteBuffer;

/** Encodes keys as bytes, in the order of unsigned numbers. */
final class Keys {
  private Keys() {}

  static byte[] of(long key) {
    return ByteBuffer.allocate(Long.BYTES).putLong(key).array();
  }
}
