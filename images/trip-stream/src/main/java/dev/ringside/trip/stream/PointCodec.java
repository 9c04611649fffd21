package dev.ringside.trip.stream;

import java.nio.ByteBuffer;

/** Encodes a point as bytes in network byte order, for packets and records. */
final class PointCodec {
  /** Length of an encoded point. */
  static final int BYTES = Long.BYTES + Integer.BYTES + 1 + 2 * Integer.BYTES + Long.BYTES;

  private static final PointKind[] KINDS = PointKind.values();

  private PointCodec() {}

  static void put(ByteBuffer to, Point point) {
    to.putLong(point.trip())
        .putInt(point.number())
        .put((byte) point.kind().ordinal())
        .putInt(point.latitude())
        .putInt(point.longitude())
        .putLong(point.millis());
  }

  static Point get(ByteBuffer from) throws StreamFaultException {
    return new Point(
        from.getLong(),
        from.getInt(),
        kind(from.get()),
        from.getInt(),
        from.getInt(),
        from.getLong());
  }

  private static PointKind kind(byte code) throws StreamFaultException {
    if (code < 0 || code >= KINDS.length) {
      throw new StreamFaultException(
          "a point of kind " + code + ": there are 0 to " + (KINDS.length - 1));
    }
    return KINDS[code];
  }
}
