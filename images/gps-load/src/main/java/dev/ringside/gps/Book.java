package dev.ringside.gps;

import dev.ringside.trip.stream.FinishedTrip;
import dev.ringside.trip.stream.Point;
import dev.ringside.trip.stream.TripSum;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Every point that was sent on a connection and what must be in the cache of it, told trip by trip.
 * Some 15 bytes for a point. For one thread.
 */
final class Book {
  private final Map<Long, Entry> trips = new HashMap<>();
  private long refused;

  /**
   * A trip: the digests of it as it was after each of its points, so that any beginning is known.
   */
  private static final class Entry {
    private static final int FIRST_CAPACITY = 8;

    private final TripSum sum;
    private long[] digests = new long[FIRST_CAPACITY];
    private int acknowledged;
    private int acknowledgedAtKill = -1;

    Entry(long trip) {
      sum = new TripSum(trip);
    }

    void add(Point point) {
      if (sum.points() == digests.length) {
        digests = Arrays.copyOf(digests, 2 * digests.length);
      }
      sum.add(point.latitude(), point.longitude(), point.millis());
      digests[sum.points() - 1] = sum.finish().digest();
    }

    /** Whether what there is of it are its first points, as they were sent. */
    boolean begins(FinishedTrip held) {
      return held.points() == 0
          || held.points() <= sum.points() && digests[held.points() - 1] == held.digest();
    }
  }

  /** A point is about to be sent for the first time. */
  void sent(Point point) {
    trips.computeIfAbsent(point.trip(), Entry::new).add(point);
  }

  /**
   * All these points were acknowledged, and so many of them as points without those before them.
   */
  void acknowledged(List<Point> points, int gaps) {
    for (Point point : points) {
      trips.get(point.trip()).acknowledged++;
    }
    refused += gaps;
  }

  /** The store was killed: what is acknowledged now is what it said to have. */
  void killed() {
    for (Entry trip : trips.values()) {
      if (trip.acknowledgedAtKill < 0) {
        trip.acknowledgedAtKill = trip.acknowledged;
      }
    }
  }

  /** The numbers of all trips. */
  List<Long> trips() {
    return new ArrayList<>(trips.keySet());
  }

  /**
   * Closes the book.
   *
   * @param held what the cache has of each trip
   */
  Balance balance(Map<Long, FinishedTrip> held) {
    long sent = 0;
    long acknowledged = 0;
    long kept = 0;
    long lost = 0;
    long wrong = 0;
    for (Map.Entry<Long, Entry> each : trips.entrySet()) {
      Entry trip = each.getValue();
      FinishedTrip there = held.get(each.getKey());
      sent += trip.sum.points();
      acknowledged += trip.acknowledged;
      if (there == null || !trip.begins(there)) {
        wrong += trip.acknowledged;
        continue;
      }
      int here = Math.min(there.points(), trip.acknowledged);
      kept += here;
      // Of a trip that lost points, none that came later was taken: those are refused, and told.
      boolean damaged = here < trip.acknowledgedAtKill;
      lost += (damaged ? trip.acknowledgedAtKill : trip.acknowledged) - here;
    }
    return new Balance(sent, acknowledged, kept, lost, refused, wrong);
  }
}
