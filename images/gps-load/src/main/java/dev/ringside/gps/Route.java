package dev.ringside.gps;

import dev.ringside.trip.stream.Acknowledgement;
import dev.ringside.trip.stream.Point;
import java.io.IOException;
import java.util.List;

/** Sends one client's points to the store and receives acknowledgements. For one thread. */
interface Route extends AutoCloseable {
  /**
   * Sends a packet's points.
   *
   * @param dueNanos when they were due, by {@link System#nanoTime}
   * @throws IOException if they may not have been sent; the route cannot be used after that
   */
  void send(List<Point> points, long dueNanos) throws IOException;

  /**
   * Waits for the next acknowledgement of this client's points and returns it.
   *
   * @throws IOException if the store reports a permanent error, or nothing arrives in time
   */
  Acknowledgement acknowledgement() throws IOException;

  @Override
  void close();
}
