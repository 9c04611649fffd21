package dev.ringside.trip.store;

import dev.ringside.trip.cache.Cache;
import dev.ringside.trip.stream.FinishedTrip;
import dev.ringside.trip.stream.Point;
import dev.ringside.trip.stream.PointKind;
import dev.ringside.trip.stream.TripSum;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;

/**
 * Builds trips in a cache with the operations of the original publication: a lookup and a put to
 * begin a trip; two lookups (one for existence, one for the value) and a put to continue or end it.
 * A point that is already stored, for example after a client reconnects, changes nothing.
 *
 * <p>Safe for any number of threads if only one at a time has points of the same trip.
 */
final class TripBuilder {
  private final Cache cache;
  private final LongAdder begun = new LongAdder();
  private final LongAdder ended = new LongAdder();
  private final LongAdder again = new LongAdder();
  private final LongAdder gaps = new LongAdder();
  private final LongAdder putBytes = new LongAdder();
  private final LongAdder gotBytes = new LongAdder();
  private final LongAdder liveBytes = new LongAdder();

  TripBuilder(Cache cache) {
    this.cache = cache;
  }

  /** Holds the result of a point. */
  record Taken(FinishedTrip finished, boolean gap) {
    private static final Taken ONE_MORE = new Taken(null, false);
    private static final Taken GAP = new Taken(null, true);
  }

  /**
   * Adds a point to its trip.
   *
   * @return the trip if this is its last point; a gap if earlier points are missing or differ
   * @throws IOException if the cache fails
   */
  Taken take(Point point) throws IOException {
    long trip = point.trip();
    if (point.kind() == PointKind.ASK) {
      return new Taken(held(trip), false);
    }
    boolean known = get(trip) != null;
    if (!known) {
      if (point.number() > 0) {
        gaps.increment();
        return Taken.GAP;
      }
      begun.increment();
      TripRecord first = TripRecord.beginning(point);
      return put(point, first, Long.BYTES + first.bytes().length);
    }
    // The publication looks it up a second time; this lookup may be cheap in the cache.
    TripRecord record = TripRecord.of(get(trip));
    if (record.has(point)) {
      again.increment();
      return taken(point, record);
    }
    if (record.ended() || point.number() != record.points()) {
      gaps.increment();
      return Taken.GAP;
    }
    TripRecord longer = record.with(point);
    return put(point, longer, longer.bytes().length - record.bytes().length);
  }

  /** Returns the state of a trip, ended or not. A trip that is unknown has no points. */
  private FinishedTrip held(long trip) throws IOException {
    byte[] bytes = get(trip);
    return bytes == null ? new TripSum(trip).finish() : TripRecord.of(bytes).finish(trip);
  }

  private byte[] get(long trip) throws IOException {
    byte[] found = cache.get(trip);
    if (found != null) {
      gotBytes.add(Long.BYTES + found.length);
    }
    return found;
  }

  /** Puts a trip that is a number of bytes larger than the value it replaces. */
  private Taken put(Point point, TripRecord record, int more) throws IOException {
    cache.put(point.trip(), record.bytes());
    putBytes.add(Long.BYTES + record.bytes().length);
    liveBytes.add(more);
    if (point.kind() == PointKind.END) {
      ended.increment();
    }
    return taken(point, record);
  }

  private static Taken taken(Point point, TripRecord record) {
    return point.kind() == PointKind.END
        ? new Taken(record.finish(point.trip()), false)
        : Taken.ONE_MORE;
  }

  /** Returns the number of trips that began. */
  long begun() {
    return begun.sum();
  }

  /** Returns the number of trips that ended. */
  long ended() {
    return ended.sum();
  }

  /** Returns the number of points that their trip already had. */
  long again() {
    return again.sum();
  }

  /** Returns the number of points whose trip lacked the points before them. */
  long gaps() {
    return gaps.sum();
  }

  /** Returns the bytes of keys and values that were put. */
  long putBytes() {
    return putBytes.sum();
  }

  /** Returns the bytes of keys and values that lookups found. */
  long gotBytes() {
    return gotBytes.sum();
  }

  /** Returns the bytes of the current keys and values that were put through this builder. */
  long liveBytes() {
    return liveBytes.sum();
  }
}
