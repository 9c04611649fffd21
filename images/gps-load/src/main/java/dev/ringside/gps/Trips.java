package dev.ringside.gps;

import dev.ringside.trip.stream.FinishedTrip;
import dev.ringside.trip.stream.Point;
import dev.ringside.trip.stream.PointKind;
import dev.ringside.trip.stream.TripSum;
import java.util.SplittableRandom;

/**
 * The points of many trips that are in flight at a time: each in turn tells where it is, and where
 * one ends the next begins. The same seed gives the same drives; the trips' numbers have a
 * beginning of their own, so that no other stream has them. For one thread.
 */
final class Trips {
  /** When the first trips begin, so that a seed tells all of a drive. */
  private static final long FIRST_MILLIS = 1_700_000_000_000L;

  private final TripSizes sizes;
  private final SplittableRandom random;
  private final long firstNumber;
  private final Trip[] inFlight;
  private long begun;
  private long points;

  /** A point, and what its trip was if it is the last. */
  record Step(Point point, FinishedTrip finished) {}

  /**
   * None has begun.
   *
   * @param firstNumber of the numbers from which those of trips are made
   */
  Trips(TripSizes sizes, int inFlight, long seed, long firstNumber) {
    this.sizes = sizes;
    this.firstNumber = firstNumber;
    random = new SplittableRandom(seed);
    this.inFlight = new Trip[inFlight];
  }

  /** The next point of the trip whose turn it is. */
  Step next() {
    int place = (int) (points % inFlight.length);
    long turn = points / inFlight.length;
    points++;
    if (inFlight[place] == null) {
      // The first of all are on their way already: some will end soon, as they would later on.
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
    // Spread, as UUIDs would be: a cache must not find neighbours because they began together.
    long number = TripSum.mix(firstNumber + begun);
    begun++;
    return new Trip(number, length, new Vehicle(random.split()));
  }
}
