package dev.ringside.trip.store;

import dev.ringside.trip.cache.Cache;
import dev.ringside.trip.stream.FinishedTrip;
import dev.ringside.trip.stream.Point;
import dev.ringside.trip.stream.PointKind;
import dev.ringside.trip.stream.TripSum;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;

/**
 * Builds trips in a cache, with the operations that were published: a lookup and a put to begin a
 * trip, two lookups (is it known? what is it?) and a put to go on or to end it. A point that was
 * taken before, as after a client's new beginning, changes nothing.
 *
 * <p>For any number of threads, of which only one at a time has points of the same trip.
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

  /** What became of a point. */
  record Taken(FinishedTrip finished, boolean gap) {
    private static final Taken ONE_MORE = new Taken(null, false);
    private static final Taken GAP = new Taken(null, true);
  }

  /**
   * Takes a point into its trip.
   *
   * @return the trip if that was its last point; a gap if those before it are not there, or others
   *     are in their place
   * @throws IOException if the cache does
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
    // As published, it is looked up once more; the cache may well have it at hand.
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

  /** What there is of a trip, whether it has ended or not; one without a point if it is unknown. */
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

  /** Puts a trip that is so many bytes more than what it takes the place of. */
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

  /** Trips that began. */
  long begun() {
    return begun.sum();
  }

  /** Trips that ended. */
  long ended() {
    return ended.sum();
  }

  /** Points that were there. */
  long again() {
    return again.sum();
  }

  /** Points that found their trip without those before them. */
  long gaps() {
    return gaps.sum();
  }

  /** Keys and values that were put. */
  long putBytes() {
    return putBytes.sum();
  }

  /** Keys and values that were got: of lookups that found one. */
  long gotBytes() {
    return gotBytes.sum();
  }

  /** Keys and values that are there, of those that were put through this builder. */
  long liveBytes() {
    return liveBytes.sum();
  }
}
