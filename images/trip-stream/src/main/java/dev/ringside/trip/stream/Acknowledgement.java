package dev.ringside.trip.stream;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What a server says of the points that it was sent on a connection.
 *
 * @param points so many of them, from the first on, are in the cache: all before them, too
 * @param gaps so many of those since the last acknowledgement found their trip without the points
 *     before them, or with others: the server has lost something
 * @param finished the trips that those since the last acknowledgement ended, in any order; of a
 *     trip that was asked for, what there is of it, without a point if there is nothing
 * @param fault why there will be no more; empty if there will
 */
public record Acknowledgement(long points, int gaps, List<FinishedTrip> finished, String fault) {
  private static final int MAX_FINISHED = 1 << 20;
  private static final int MAX_FAULT_BYTES = 1024;
  private static final int HEADER_BYTES = Long.BYTES + 3 * Integer.BYTES;
  private static final int TRIP_BYTES = 4 * Long.BYTES + Integer.BYTES;

  /** Writes it, unbuffered in one piece. */
  void write(DataOutputStream out) throws IOException {
    byte[] said = fault.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(said.length, MAX_FAULT_BYTES);
    ByteBuffer buffer =
        ByteBuffer.allocate(HEADER_BYTES + TRIP_BYTES * finished.size() + length)
            .putLong(points)
            .putInt(gaps)
            .putInt(finished.size())
            .putInt(length);
    for (FinishedTrip trip : finished) {
      buffer
          .putLong(trip.trip())
          .putInt(trip.points())
          .putLong(trip.way())
          .putLong(trip.millis())
          .putLong(trip.digest());
    }
    buffer.put(said, 0, length);
    out.write(buffer.array());
    out.flush();
  }

  /**
   * Reads the next one.
   *
   * @throws StreamFaultException if it is none
   */
  static Acknowledgement read(DataInputStream in) throws IOException {
    long points = in.readLong();
    int gaps = in.readInt();
    int trips = in.readInt();
    int length = in.readInt();
    if (trips < 0 || trips > MAX_FINISHED || length < 0 || length > MAX_FAULT_BYTES) {
      throw new StreamFaultException(
          "an acknowledgement of " + trips + " trips with " + length + " letters");
    }
    List<FinishedTrip> finished = new ArrayList<>(trips);
    for (int i = 0; i < trips; i++) {
      finished.add(
          new FinishedTrip(
              in.readLong(), in.readInt(), in.readLong(), in.readLong(), in.readLong()));
    }
    String fault = new String(in.readNBytes(length), StandardCharsets.UTF_8);
    return new Acknowledgement(points, gaps, finished, fault);
  }
}
