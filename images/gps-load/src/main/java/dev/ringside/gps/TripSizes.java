package dev.ringside.gps;

/**
 * Holds the limits of trips' sizes.
 *
 * @param pointsMin of a trip
 * @param pointsMax of a trip
 * @param periodMillis between two points of a trip, by the points' own times
 */
record TripSizes(int pointsMin, int pointsMax, int periodMillis) {
  /** The first and the last point. */
  static final int LEAST_POINTS = 2;
}
