package dev.ringside.gps;

import dev.ringside.trip.stream.Acknowledgement;
import dev.ringside.trip.stream.Point;
import java.io.IOException;
import java.util.List;

/** One client's way to the store, and back. For one thread. */
interface Route extends AutoCloseable {
  /**
   * Sends a packet's points.
   *
   * @param dueNanos when they were due, by {@link System#nanoTime}
   * @throws IOException if they may not have got away; it is of no more use then
   */
  void send(List<Point> points, long dueNanos) throws IOException;

  /**
   * What the store says next of this client's points; waits for it.
   *
   * @throws IOException if it says that there will be no more, or nothing in time
   */
  Acknowledgement acknowledgement() throws IOException;

  @Override
  void close();
}
