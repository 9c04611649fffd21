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
 * One way to the store: a packet at a time, the next when all points so far are acknowledged. Every
 * trip that ends in it must come out as it went in. For one thread.
 */
final class GpsClient implements Client {
  /** In the cache, and every trip that ended came out right. */
  static final Outcome KEPT = Outcome.answered("kept");

  private final Route route;
  private final Trips trips;
  private final int packetSize;
  private final Expected expected = new Expected();
  private long sent;
  private long dueNanos;

  /** On a way that is open. */
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
