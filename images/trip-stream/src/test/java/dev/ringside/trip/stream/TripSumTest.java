package dev.ringside.trip.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TripSumTest {
  private static final List<int[]> PLACES =
      List.of(new int[] {10, -20}, new int[] {13, -20}, new int[] {13, -27}, new int[] {13, -27});

  @Test
  void shouldSumUpPointsWayAndTime() {
    FinishedTrip trip = sum(5, PLACES, 1_000);
    assertEquals(4, trip.points());
    assertEquals(3 + 7, trip.way());
    assertEquals(3_000, trip.millis());
    assertEquals(sum(5, PLACES, 1_000), trip);
  }

  @Test
  void shouldMeasureAWayRoundTheWorld() {
    TripSum sum = new TripSum(1).add(Integer.MIN_VALUE, 0, 0).add(Integer.MAX_VALUE, 0, 1);
    assertEquals(0xffffffffL, sum.finish().way());
  }

  @Test
  void shouldTellTripsApartThatDifferInAnything() {
    Set<Long> digests = new HashSet<>();
    digests.add(sum(5, PLACES, 1_000).digest());
    digests.add(sum(6, PLACES, 1_000).digest());
    digests.add(sum(5, PLACES, 1_001).digest());
    digests.add(sum(5, PLACES.subList(0, 3), 1_000).digest());
    digests.add(sum(5, PLACES.subList(1, 4), 1_000).digest());
    List<int[]> twice = new ArrayList<>(PLACES);
    twice.add(PLACES.get(3));
    digests.add(sum(5, twice, 1_000).digest());
    List<int[]> swapped = new ArrayList<>(PLACES);
    Collections.swap(swapped, 0, 1);
    digests.add(sum(5, swapped, 1_000).digest());
    assertEquals(7, digests.size());
  }

  @Test
  void shouldSpreadNumbersOneToOne() {
    Set<Long> mixed = new HashSet<>();
    for (long number = 0; number < 100_000; number++) {
      mixed.add(TripSum.mix(number));
    }
    assertEquals(100_000, mixed.size());
    assertNotEquals(TripSum.mix(1) >>> 48, TripSum.mix(2) >>> 48);
  }

  private static FinishedTrip sum(long trip, List<int[]> places, long step) {
    TripSum sum = new TripSum(trip);
    long millis = 0;
    for (int[] place : places) {
      sum.add(place[0], place[1], millis);
      millis += step;
    }
    return sum.finish();
  }
}
