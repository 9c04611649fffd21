package dev.ringside.gps;

import dev.ringside.trip.stream.FinishedTrip;
import dev.ringside.trip.stream.Point;
import dev.ringside.trip.stream.PointKind;
import dev.ringside.trip.stream.TripSum;

/** A trip in flight: who drives, how far it is, and what it will have been. For one thread. */
final class Trip {
  private final long number;
  private final int length;
  private final Vehicle vehicle;
  private final TripSum sum;

  /**
   * About to begin.
   *
   * @param length points that it will have, two at least
   */
  Trip(long number, int length, Vehicle vehicle) {
    this.number = number;
    this.length = length;
    this.vehicle = vehicle;
    sum = new TripSum(number);
  }

  /**
   * The next point; not after the last.
   *
   * @param period since the point before it, in ms
   */
  Point next(int period, long millis) {
    int place = sum.points();
    if (place > 0) {
      vehicle.drive(period);
    }
    sum.add(vehicle.latitude(), vehicle.longitude(), millis);
    return new Point(number, place, kind(place), vehicle.latitude(), vehicle.longitude(), millis);
  }

  private PointKind kind(int place) {
    if (place == 0) {
      return PointKind.BEGIN;
    }
    return place == length - 1 ? PointKind.END : PointKind.GO_ON;
  }

  /** What the store must say of it after its last point. */
  FinishedTrip finish() {
    return sum.finish();
  }
}
