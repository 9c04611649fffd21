package dev.ringside.gps;

import dev.ringside.load.Client;
import dev.ringside.load.ConnectionLostException;
import dev.ringside.load.Outcome;
import dev.ringside.trip.stream.Acknowledgement;
import dev.ringside.trip.stream.FinishedTrip;
import dev.ringside.trip.stream.Point;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Sends one packet at a time on a route, the next when all points so far are acknowledged. Verifies
 * the result of every trip that ends. For one thread.
 */
final class GpsClient implements Client {
  /** All points are in the cache, and every trip that ended has the right result. */
  static final Outcome KEPT = Outcome.answered("kept");

  private final Route route;
  private final Trips trips;
  private final int packetSize;
  private final Expected expected = new Expected();
  private long sent;
  private long dueNanos;

  /** Creates a client of an open route. */
  GpsClient(Route route, Trips trips, int packetSize) {
    this.route = route;
    this.trips = trips;
    this.packetSize = packetSize;
  }

  @Override
  public void due(long nanos) {
    dueNanos = nanos;
  }

  @Override
  public Outcome operate(long number) throws Exception {
    List<Point> points = new ArrayList<>(packetSize);
    for (int i = 0; i < packetSize; i++) {
      Trips.Step step = trips.next();
      points.add(step.point());
      if (step.finished() != null) {
        expected.add(step.finished());
      }
    }
    sent += packetSize;
    exchange(points);
    expected.check();
    return KEPT;
  }

  private void exchange(List<Point> points) throws ConnectionLostException {
    try {
      route.send(points, dueNanos);
      for (long acknowledged = 0; acknowledged < sent; ) {
        Acknowledgement next = route.acknowledgement();
        acknowledged = next.points();
        if (acknowledged > sent) {
          throw new IOException(
              String.format("%d points are acknowledged of %d", acknowledged, sent));
        }
        expected.gaps(next.gaps());
        for (FinishedTrip trip : next.finished()) {
          expected.cameOut(trip);
        }
      }
    } catch (IOException e) {
      throw new ConnectionLostException(e.toString(), e);
    }
  }

  @Override
  public void close() {
    route.close();
  }
}
