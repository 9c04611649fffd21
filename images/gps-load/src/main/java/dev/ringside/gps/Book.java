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
 * Records every point that was sent on a connection, to verify the cache's trips after a recovery.
 * Uses about 15 bytes per point. For one thread.
 */
final class Book {
  private final Map<Long, Entry> trips = new HashMap<>();
  private long refused;

  /**
   * Holds a trip's digest after each of its points, so that any prefix of the trip can be verified.
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

    /** Reports whether the held points are a prefix of the trip that was sent. */
    boolean begins(FinishedTrip held) {
      return held.points() == 0
          || held.points() <= sum.points() && digests[held.points() - 1] == held.digest();
    }
  }

  /** Records a point before it is sent for the first time. */
  void sent(Point point) {
    trips.computeIfAbsent(point.trip(), Entry::new).add(point);
  }

  /** Records acknowledged points, some of them as gaps: without the points before them. */
  void acknowledged(List<Point> points, int gaps) {
    for (Point point : points) {
      trips.get(point.trip()).acknowledged++;
    }
    refused += gaps;
  }

  /** Records that the store was killed. It must still have the points acknowledged so far. */
  void killed() {
    for (Entry trip : trips.values()) {
      if (trip.acknowledgedAtKill < 0) {
        trip.acknowledgedAtKill = trip.acknowledged;
      }
    }
  }

  /** Returns the numbers of all trips. */
  List<Long> trips() {
    return new ArrayList<>(trips.keySet());
  }

  /**
   * Computes the balance.
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
      // If a trip lost points, later points were acknowledged as gaps: they count as refused.
      boolean damaged = here < trip.acknowledgedAtKill;
      lost += (damaged ? trip.acknowledgedAtKill : trip.acknowledged) - here;
    }
    return new Balance(sent, acknowledged, kept, lost, refused, wrong);
  }
}
