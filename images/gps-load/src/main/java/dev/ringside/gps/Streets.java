package dev.ringside.gps;

/**
 * Where trips may go: streets that run north and east at equal distances, through a city that ends
 * somewhere. All lengths are in 10⁻⁷ degrees, of which some 90 make a metre.
 */
final class Streets {
  /** From one crossing to the next: a hundred metres. */
  static final int BLOCK = 9_000;

  /** Crossings from the city's middle to its edge. */
  static final int BLOCKS_TO_EDGE = 100;

  /** The crossing in the middle. */
  static final int MIDDLE_LATITUDE = 525_163_000;

  /** The crossing in the middle. */
  static final int MIDDLE_LONGITUDE = 133_777_000;

  private Streets() {}
}
