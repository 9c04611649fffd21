package dev.ringside.trip.stream;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds points that are sent together. The format is their number in four bytes, then 29 bytes for
 * each point, in network byte order. An empty packet requests an acknowledgement of the earlier
 * ones.
 *
 * @param points in the order in which they were created
 */
public record Packet(List<Point> points) {
  /** Largest number of points that a server accepts in one packet. */
  public static final int MAX_POINTS = 4096;

  /** Writes the packet in one piece. */
  void write(DataOutputStream out) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(Integer.BYTES + PointCodec.BYTES * points.size());
    buffer.putInt(points.size());
    for (Point point : points) {
      PointCodec.put(buffer, point);
    }
    out.write(buffer.array());
    out.flush();
  }

  /**
   * Reads the next packet.
   *
   * @throws StreamFaultException if the bytes are not a packet
   * @throws java.io.EOFException if the stream ends in the packet or before it
   */
  static Packet read(DataInputStream in) throws IOException {
    int count = in.readInt();
    if (count < 0 || count > MAX_POINTS) {
      throw new StreamFaultException(
          "a packet of " + count + " points: send from 0 to " + MAX_POINTS);
    }
    byte[] bytes = new byte[PointCodec.BYTES * count];
    in.readFully(bytes);
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    List<Point> points = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      points.add(PointCodec.get(buffer));
    }
    return new Packet(points);
  }
}
