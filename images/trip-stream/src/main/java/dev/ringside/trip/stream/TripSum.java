package dev.ringside.trip.stream;

/** A trip summed up point by point, in their order. For one thread. */
public final class TripSum {
  // The finalizer of MurmurHash3: every bit of a point changes half of the digest's.
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

  /** Of a trip without a point yet. */
  public TripSum(long trip) {
    this.trip = trip;
    digest = mix(trip);
  }

  /**
   * The next point.
   *
   * @return this
   */
  public TripSum add(int toLatitude, int toLongitude, long millis) {
    if (points == 0) {
      firstMillis = millis;
    } else {
      // Along the streets, which run north and east.
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

  /** Points so far. */
  public int points() {
    return points;
  }

  /** What the trip is, if that was its last point. */
  public FinishedTrip finish() {
    return new FinishedTrip(trip, points, way, lastMillis - firstMillis, mix(digest));
  }

  /** One to one, and without any likeness left: for digests, and for numbers to be spread. */
  public static long mix(long number) {
    long mixed = number;
    mixed = (mixed ^ mixed >>> SHIFT) * FIRST_FACTOR;
    mixed = (mixed ^ mixed >>> SHIFT) * SECOND_FACTOR;
    return mixed ^ mixed >>> SHIFT;
  }
}
