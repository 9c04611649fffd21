package dev.ringside.gps;

import dev.ringside.trip.stream.FinishedTrip;
import dev.ringside.trip.stream.Point;
import dev.ringside.trip.stream.PointKind;
import dev.ringside.trip.stream.TripSum;

/** Is a trip in flight, with its vehicle and its result so far. For one thread. */
final class Trip {
  private final long number;
  private final int length;
  private final Vehicle vehicle;
  private final TripSum sum;

  /**
   * Creates a trip that has not begun.
   *
   * @param length points of the whole trip, at least two
   */
  Trip(long number, int length, Vehicle vehicle) {
    this.number = number;
    this.length = length;
    this.vehicle = vehicle;
    sum = new TripSum(number);
  }

  /**
   * Returns the next point. Do not call this after the last point.
   *
   * @param period milliseconds since the previous point
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

  /** Returns the result that the store must return after the last point. */
  FinishedTrip finish() {
    return sum.finish();
  }
}
