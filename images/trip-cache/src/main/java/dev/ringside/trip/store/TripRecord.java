package dev.ringside.trip.store;

import dev.ringside.trip.stream.FinishedTrip;
import dev.ringside.trip.stream.Point;
import dev.ringside.trip.stream.PointKind;
import dev.ringside.trip.stream.TripSum;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A trip as the cache keeps it: a byte that says whether it has ended, then 16 bytes for each of
 * its points so far. So a trip of 40 points ends as 641 bytes, after 40 puts of 321 in the mean.
 */
final class TripRecord {
  private static final byte UNDER_WAY = 1;
  private static final byte ENDED = 2;
  private static final int HEADER_BYTES = 1;
  private static final int POINT_BYTES = 2 * Integer.BYTES + Long.BYTES;

  private final byte[] bytes;

  private TripRecord(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Of a trip that has one point. */
  static TripRecord beginning(Point first) {
    return new TripRecord(new byte[] {UNDER_WAY}).with(first);
  }

  /** As it was put into the cache. */
  static TripRecord of(byte[] bytes) {
    return new TripRecord(bytes);
  }

  /** The same with one point more; another one, since the array of this one is the cache's. */
  TripRecord with(Point next) {
    byte[] longer = Arrays.copyOf(bytes, bytes.length + POINT_BYTES);
    longer[0] = next.kind() == PointKind.END ? ENDED : UNDER_WAY;
    ByteBuffer.wrap(longer, bytes.length, POINT_BYTES)
        .putInt(next.latitude())
        .putInt(next.longitude())
        .putLong(next.millis());
    return new TripRecord(longer);
  }

  int points() {
    return (bytes.length - HEADER_BYTES) / POINT_BYTES;
  }

  boolean ended() {
    return bytes[0] == ENDED;
  }

  /** Whether that very point is in its place; whether it was the last is told by the record. */
  boolean has(Point point) {
    if (point.number() >= points()) {
      return false;
    }
    ByteBuffer there =
        ByteBuffer.wrap(bytes, HEADER_BYTES + point.number() * POINT_BYTES, POINT_BYTES);
    boolean last = ended() && point.number() == points() - 1;
    return there.getInt() == point.latitude()
        && there.getInt() == point.longitude()
        && there.getLong() == point.millis()
        && last == (point.kind() == PointKind.END);
  }

  /** Worked out from every point that is kept. */
  FinishedTrip finish(long trip) {
    TripSum sum = new TripSum(trip);
    ByteBuffer points = ByteBuffer.wrap(bytes, HEADER_BYTES, bytes.length - HEADER_BYTES);
    while (points.hasRemaining()) {
      sum.add(points.getInt(), points.getInt(), points.getLong());
    }
    return sum.finish();
  }

  /** Not copied. */
  byte[] bytes() {
    return bytes;
  }
}
