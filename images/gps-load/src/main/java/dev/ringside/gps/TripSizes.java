package dev.ringside.gps;

/**
 * How long trips are.
 *
 * @param pointsMin of a trip
 * @param pointsMax of a trip
 * @param periodMillis from one point of a trip to the next, by the points' own clocks
 */
record TripSizes(int pointsMin, int pointsMax, int periodMillis) {
  /** A beginning and an end. */
  static final int LEAST_POINTS = 2;
}
