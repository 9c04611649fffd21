package dev.ringside.gps;

import java.util.SplittableRandom;

/**
 * Drives through the streets from crossing to crossing. At each one it turns with a probability of
 * one half. Each vehicle has its own speed, which traffic reduces at random. For one thread.
 */
final class Vehicle {
  // 10⁻⁷ degrees per second: 5 to 20 metres per second. Traffic reduces this by up to half.
  private static final int MIN_SPEED = 450;
  private static final int MAX_SPEED = 1_800;

  private final SplittableRandom random;
  private final int speed;
  private int latitude;
  private int longitude;
  // Direction to the north and to the east: one is 0, the other 1 or -1.
  private int north;
  private int east;
  private int toCrossing = Streets.BLOCK;

  /** Creates a vehicle at a random crossing. */
  Vehicle(SplittableRandom random) {
    this.random = random;
    speed = random.nextInt(MIN_SPEED, MAX_SPEED + 1);
    latitude = Streets.MIDDLE_LATITUDE + crossing();
    longitude = Streets.MIDDLE_LONGITUDE + crossing();
    boolean northward = random.nextBoolean();
    int sign = random.nextBoolean() ? 1 : -1;
    north = northward ? sign : 0;
    east = northward ? 0 : sign;
  }

  private int crossing() {
    return Streets.BLOCK * random.nextInt(-Streets.BLOCKS_TO_EDGE, Streets.BLOCKS_TO_EDGE + 1);
  }

  /** Drives for a number of milliseconds. */
  void drive(int millis) {
    long full = (long) speed * millis / 1_000;
    long left = full - random.nextLong(full / 2 + 1);
    while (left > 0) {
      int leg = (int) Math.min(left, toCrossing);
      latitude += north * leg;
      longitude += east * leg;
      toCrossing -= leg;
      left -= leg;
      if (toCrossing == 0) {
        cross();
      }
    }
  }

  private void cross() {
    toCrossing = Streets.BLOCK;
    if (random.nextBoolean()) {
      // A turn to the left or right swaps the axes.
      int sign = random.nextBoolean() ? 1 : -1;
      int before = north;
      north = east * sign;
      east = before * sign;
    }
    if (leavesTheCity(latitude - Streets.MIDDLE_LATITUDE, north)
        || leavesTheCity(longitude - Streets.MIDDLE_LONGITUDE, east)) {
      north = -north;
      east = -east;
    }
  }

  private static boolean leavesTheCity(int fromMiddle, int direction) {
    return fromMiddle * direction >= Streets.BLOCK * Streets.BLOCKS_TO_EDGE;
  }

  int latitude() {
    return latitude;
  }

  int longitude() {
    return longitude;
  }
}
