package dev.ringside.trip.stream;

/** Computes the result of a trip from its points in their order. For one thread. */
public final class TripSum {
  // The finalizer of MurmurHash3: each bit of a point changes about half of the digest's bits.
  private static final long FIRST_FACTOR = 0xff51afd7ed558ccdL;
  private static final long SECOND_FACTOR = 0xc4ceb9fe1a85ec53L;
  private static final int SHIFT = 33;

  private final long trip;
  private int points;
  private int latitude;
  private int longitude;
  private long way;
  private long firstMillis;
  private long lastMillis;
  private long digest;

  /** Creates the sum of a trip without points. */
  public TripSum(long trip) {
    this.trip = trip;
    digest = mix(trip);
  }

  /**
   * Adds the next point.
   *
   * @return this
   */
  public TripSum add(int toLatitude, int toLongitude, long millis) {
    if (points == 0) {
      firstMillis = millis;
    } else {
      // Distances are along streets, which run north and east.
      way += Math.abs((long) toLatitude - latitude) + Math.abs((long) toLongitude - longitude);
    }
    latitude = toLatitude;
    longitude = toLongitude;
    lastMillis = millis;
    long place = (long) toLatitude << Integer.SIZE | toLongitude & 0xffffffffL;
    digest = mix(mix(digest + points) ^ place) + millis;
    points++;
    return this;
  }

  /** Returns the number of points added. */
  public int points() {
    return points;
  }

  /** Returns the result of the trip if the last added point was its last. */
  public FinishedTrip finish() {
    return new FinishedTrip(trip, points, way, lastMillis - firstMillis, mix(digest));
  }

  /** Maps numbers one to one to well-distributed numbers, for digests and for distribution. */
  public static long mix(long number) {
    long mixed = number;
    mixed = (mixed ^ mixed >>> SHIFT) * FIRST_FACTOR;
    mixed = (mixed ^ mixed >>> SHIFT) * SECOND_FACTOR;
    return mixed ^ mixed >>> SHIFT;
  }
}
