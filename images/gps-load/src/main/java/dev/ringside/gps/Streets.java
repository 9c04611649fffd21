package dev.ringside.gps;

/**
 * Defines the streets of trips: a grid that runs north and east at equal distances, in a city with
 * an edge. All lengths are in 10⁻⁷ degrees; about 90 are one metre.
 */
final class Streets {
  /** Distance of adjacent crossings: about a hundred metres. */
  static final int BLOCK = 9_000;

  /** Number of crossings from the centre to the edge. */
  static final int BLOCKS_TO_EDGE = 100;

  /** Latitude of the crossing in the centre. */
  static final int MIDDLE_LATITUDE = 525_163_000;

  /** Longitude of the crossing in the centre. */
  static final int MIDDLE_LONGITUDE = 133_777_000;

  private Streets() {}
}
