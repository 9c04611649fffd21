package dev.ringside.gps;

import java.util.SplittableRandom;

/**
 * Something that drives through the streets: straight on from crossing to crossing, of which it
 * leaves every second one by a turn, at a speed of its own that traffic varies. For one thread.
 */
final class Vehicle {
  // Metres a second: 5 to 20, and up to half of it lost to traffic.
  private static final int MIN_SPEED = 450;
  private static final int MAX_SPEED = 1_800;

  private final SplittableRandom random;
  private final int speed;
  private int latitude;
  private int longitude;
  // North and east, of which one is 0 and the other 1 or -1.
  private int north;
  private int east;
  private int toCrossing = Streets.BLOCK;

  /** At some crossing, about to leave it. */
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

  /** Drives for so long. */
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
      // To one side or the other: what was north is east.
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
