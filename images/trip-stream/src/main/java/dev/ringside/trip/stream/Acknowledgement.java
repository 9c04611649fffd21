package dev.ringside.trip.stream;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Acknowledges points of a connection.
 *
 * @param points number of points from the first on that the server has processed; all except gaps
 *     are in the cache
 * @param gaps points since the last acknowledgement whose trip lacked the points before them or had
 *     others: the server has lost data
 * @param finished the trips that ended since the last acknowledgement, in any order; for a request
 *     of {@link PointKind#ASK}, the trip's current state, with 0 points if it is unknown
 * @param fault why there are no further acknowledgements; empty if there are
 */
public record Acknowledgement(long points, int gaps, List<FinishedTrip> finished, String fault) {
  private static final int MAX_FINISHED = 1 << 20;
  private static final int MAX_FAULT_BYTES = 1024;
  private static final int HEADER_BYTES = Long.BYTES + 3 * Integer.BYTES;
  private static final int TRIP_BYTES = 4 * Long.BYTES + Integer.BYTES;

  /** Writes the acknowledgement in one piece. */
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
   * Reads the next acknowledgement.
   *
   * @throws StreamFaultException if the bytes are not an acknowledgement
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
