package dev.ringside.trip.stream;

import java.nio.ByteBuffer;

/**
 * Encodes a point as a record of a topic. The record's key is the trip's number, so all points of a
 * trip are in one partition in their order. The record's timestamp is the time at which the point
 * was due.
 *
 * @param sender number of the client in its {@link Feed}, which gets the acknowledgement
 */
public record FedPoint(long sender, Point point) {
  private static final int BYTES = Long.BYTES + PointCodec.BYTES;

  /** Returns the record's key. */
  public byte[] key() {
    return ByteBuffer.allocate(Long.BYTES).putLong(point.trip()).array();
  }

  /** Returns the record's value. */
  public byte[] value() {
    ByteBuffer value = ByteBuffer.allocate(BYTES).putLong(sender);
    PointCodec.put(value, point);
    return value.array();
  }

  /**
   * Decodes a record's value.
   *
   * @throws StreamFaultException if it is not a point
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
