package dev.ringside.trip.stream;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Points that are sent together: their number in four bytes, then 29 bytes for each, all in network
 * order. An empty one asks for an acknowledgement of what was sent before it.
 *
 * @param points in the order in which they were made
 */
public record Packet(List<Point> points) {
  /** The most that a server takes in one. */
  public static final int MAX_POINTS = 4096;

  private static final int POINT_BYTES =
      Long.BYTES + Integer.BYTES + 1 + 2 * Integer.BYTES + Long.BYTES;
  private static final PointKind[] KINDS = PointKind.values();

  /** Writes it, unbuffered in one piece. */
  void write(DataOutputStream out) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(Integer.BYTES + POINT_BYTES * points.size());
    buffer.putInt(points.size());
    for (Point point : points) {
      buffer
          .putLong(point.trip())
          .putInt(point.number())
          .put((byte) point.kind().ordinal())
          .putInt(point.latitude())
          .putInt(point.longitude())
          .putLong(point.millis());
    }
    out.write(buffer.array());
    out.flush();
  }

  /**
   * Reads the next one.
   *
   * @throws StreamFaultException if it is none
   * @throws java.io.EOFException if the stream ends in it, or before it
   */
  static Packet read(DataInputStream in) throws IOException {
    int count = in.readInt();
    if (count < 0 || count > MAX_POINTS) {
      throw new StreamFaultException(
          "a packet of " + count + " points: send from 0 to " + MAX_POINTS);
    }
    byte[] bytes = new byte[POINT_BYTES * count];
    in.readFully(bytes);
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    List<Point> points = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      points.add(
          new Point(
              buffer.getLong(),
              buffer.getInt(),
              kind(buffer.get()),
              buffer.getInt(),
              buffer.getInt(),
              buffer.getLong()));
    }
    return new Packet(points);
  }

  private static PointKind kind(byte code) throws StreamFaultException {
    if (code < 0 || code >= KINDS.length) {
      throw new StreamFaultException("a point of kind " + code + ": there are 0 to 2");
    }
    return KINDS[code];
  }
}
