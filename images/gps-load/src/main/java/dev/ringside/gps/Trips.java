package dev.ringside.gps;

import dev.ringside.trip.stream.FinishedTrip;
import dev.ringside.trip.stream.Point;
import dev.ringside.trip.stream.PointKind;
import dev.ringside.trip.stream.TripSum;
import java.util.SplittableRandom;

/**
 * Creates the points of many trips that are in flight at a time, one of each in turn. When a trip
 * ends, another begins in its place. The same seed gives the same routes; the trips' numbers come
 * from a different start, so that they are unique. For one thread.
 */
final class Trips {
  /** Start time of the first trips. It is constant, so that the seed determines the points. */
  private static final long FIRST_MILLIS = 1_700_000_000_000L;

  private final TripSizes sizes;
  private final SplittableRandom random;
  private final long firstNumber;
  private final Trip[] inFlight;
  private long begun;
  private long points;

  /** Holds a point, and the trip's result if it is the last point. */
  record Step(Point point, FinishedTrip finished) {}

  /**
   * Creates the trips; none has begun.
   *
   * @param firstNumber first of the numbers from which the trips' numbers are computed
   */
  Trips(TripSizes sizes, int inFlight, long seed, long firstNumber) {
    this.sizes = sizes;
    this.firstNumber = firstNumber;
    random = new SplittableRandom(seed);
    this.inFlight = new Trip[inFlight];
  }

  /** Returns the next point of the trip whose turn it is. */
  Step next() {
    int place = (int) (points % inFlight.length);
    long turn = points / inFlight.length;
    points++;
    if (inFlight[place] == null) {
      // The first trips may be shorter, as if they had begun before, so that trips end evenly from
      // the start.
      int least = turn == 0 ? TripSizes.LEAST_POINTS : sizes.pointsMin();
      inFlight[place] = begin(random.nextInt(least, sizes.pointsMax() + 1));
    }
    Trip trip = inFlight[place];
    Point point = trip.next(sizes.periodMillis(), FIRST_MILLIS + turn * sizes.periodMillis());
    if (point.kind() != PointKind.END) {
      return new Step(point, null);
    }
    inFlight[place] = null;
    return new Step(point, trip.finish());
  }

  private Trip begin(int length) {
    // Distributed like UUIDs: trips that begin together must not be neighbours in a cache.
    long number = TripSum.mix(firstNumber + begun);
    begun++;
    return new Trip(number, length, new Vehicle(random.split()));
  }
}
