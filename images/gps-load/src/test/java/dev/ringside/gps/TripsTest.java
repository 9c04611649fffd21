package dev.ringside.gps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.trip.stream.Point;
import dev.ringside.trip.stream.PointKind;
import dev.ringside.trip.stream.TripSum;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TripsTest {
  private static final TripSizes SIZES = new TripSizes(10, 30, 1_000);
  private static final int IN_FLIGHT = 50;

  @Test
  void shouldBeginGoOnAndEndEachTripAndSayWhatItWas() {
    Trips trips = new Trips(SIZES, IN_FLIGHT, 1, 1);
    Map<Long, List<Point>> underWay = new HashMap<>();
    Set<Long> ended = new HashSet<>();
    for (int i = 0; i < 50_000; i++) {
      Trips.Step step = trips.next();
      Point point = step.point();
      List<Point> before = underWay.computeIfAbsent(point.trip(), trip -> new ArrayList<>());
      assertTrue(!ended.contains(point.trip()), "a trip that has ended goes on");
      assertEquals(before.size(), point.number());
      assertEquals(point.number() == 0, point.kind() == PointKind.BEGIN);
      if (!before.isEmpty()) {
        assertEquals(1_000, point.millis() - before.get(before.size() - 1).millis());
      }
      before.add(point);
      assertTrue(underWay.size() <= IN_FLIGHT);
      if (point.kind() == PointKind.END) {
        TripSum sum = new TripSum(point.trip());
        before.forEach(each -> sum.add(each.latitude(), each.longitude(), each.millis()));
        assertEquals(sum.finish(), step.finished());
        assertTrue(before.size() <= 30);
        assertTrue(before.size() >= 10 || i < 30 * IN_FLIGHT, "only the first may be shorter");
        underWay.remove(point.trip());
        ended.add(point.trip());
      } else {
        assertNull(step.finished());
      }
    }
    assertEquals(50_000 / 20.0, ended.size(), 250, "20 points in the mean");
    assertEquals(IN_FLIGHT, underWay.size(), 10);
  }

  @Test
  void shouldDriveTheSameTripsUnderOtherNumbers() {
    Trips one = new Trips(SIZES, IN_FLIGHT, 9, 1);
    Trips same = new Trips(SIZES, IN_FLIGHT, 9, 1 << 20);
    Trips other = new Trips(SIZES, IN_FLIGHT, 10, 1 << 21);
    int different = 0;
    Set<Long> numbers = new HashSet<>();
    Set<Long> sames = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      Point point = one.next().point();
      Point again = same.next().point();
      assertEquals(point.latitude(), again.latitude());
      assertEquals(point.longitude(), again.longitude());
      assertEquals(point.number(), again.number());
      assertEquals(point.millis(), again.millis());
      different += other.next().point().latitude() == point.latitude() ? 0 : 1;
      numbers.add(point.trip());
      sames.add(again.trip());
    }
    assertTrue(different > 5_000, "another seed drives elsewhere");
    numbers.retainAll(sames);
    assertEquals(Set.of(), numbers);
  }

  /** Otherwise, half of all trips would always end in the same turn. */
  @Test
  void shouldEndAsManyTripsInEveryTurn() {
    int inFlight = 5_000;
    Trips trips = new Trips(SIZES, inFlight, 4, 1);
    for (int turn = 0; turn < 60; turn++) {
      int ends = 0;
      for (int i = 0; i < inFlight; i++) {
        ends += trips.next().finished() == null ? 0 : 1;
      }
      if (turn > 2) {
        assertNotEquals(0, ends, "turn " + turn);
        assertTrue(ends < inFlight / 8, "turn " + turn + ": " + ends);
      }
    }
  }
}
