package dev.ringside.trip.stream;

import java.nio.ByteBuffer;

/**
 * A point as a record of a topic: its trip's number is the record's key, so that all points of a
 * trip are in one partition, in their order. The record's timestamp is when the point was due.
 *
 * @param sender who wants to be told when it is in the cache, by the number of its {@link Feed}
 */
public record FedPoint(long sender, Point point) {
  private static final int BYTES = Long.BYTES + PointCodec.BYTES;

  /** The record's key. */
  public byte[] key() {
    return ByteBuffer.allocate(Long.BYTES).putLong(point.trip()).array();
  }

  /** The record's value. */
  public byte[] value() {
    ByteBuffer value = ByteBuffer.allocate(BYTES).putLong(sender);
    PointCodec.put(value, point);
    return value.array();
  }

  /**
   * Reads a record's value.
   *
   * @throws StreamFaultException if it is none
   */
  public static FedPoint of(byte[] value) throws StreamFaultException {
    if (value == null || value.length != BYTES) {
      throw new StreamFaultException(
          "a record of " + (value == null ? 0 : value.length) + " bytes: a point has " + BYTES);
    }
    ByteBuffer in = ByteBuffer.wrap(value);
    long sender = in.getLong();
    Point point = PointCodec.get(in);
    if (point.kind() == PointKind.ASK) {
      throw new StreamFaultException("a record that asks for a trip: a topic has points alone");
    }
    return new FedPoint(sender, point);
  }
}
