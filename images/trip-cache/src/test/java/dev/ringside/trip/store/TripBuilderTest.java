package dev.ringside.trip.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.trip.stream.FinishedTrip;
import dev.ringside.trip.stream.Point;
import dev.ringside.trip.stream.PointKind;
import dev.ringside.trip.stream.TripSum;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class TripBuilderTest {
  private static final long TRIP = -5;
  private static final List<Point> POINTS =
      List.of(
          new Point(TRIP, 0, PointKind.BEGIN, 100, 200, 1_000),
          new Point(TRIP, 1, PointKind.GO_ON, 107, 200, 2_000),
          new Point(TRIP, 2, PointKind.GO_ON, 107, 200, 3_000),
          new Point(TRIP, 3, PointKind.END, 107, 195, 4_000));
  private final MapCache cache = new MapCache();
  private final TripBuilder builder = new TripBuilder(cache);

  @Test
  void shouldBuildATripFromItsPoints() throws IOException {
    TripSum sum = new TripSum(TRIP);
    POINTS.forEach(point -> sum.add(point.latitude(), point.longitude(), point.millis()));
    for (Point point : POINTS.subList(0, 3)) {
      TripBuilder.Taken taken = builder.take(point);
      assertNull(taken.finished());
      assertFalse(taken.gap());
    }
    assertEquals(sum.finish(), builder.take(POINTS.get(3)).finished());
    assertEquals(1, builder.begun());
    assertEquals(1, builder.ended());
    assertEquals(8 * 4 + 17 + 33 + 49 + 65, builder.putBytes());
    assertEquals(2 * (8 * 3 + 17 + 33 + 49), builder.gotBytes(), "two lookups find each but one");
    assertEquals(8 + 65, builder.liveBytes(), "the trip as it is now");
  }

  /** The operations are those of the publication. */
  @Test
  void shouldLookUpOnceToBeginAndTwiceToGoOnOrEndAndPutOnce() throws IOException {
    int gets = 0;
    for (int i = 0; i < POINTS.size(); i++) {
      builder.take(POINTS.get(i));
      gets += i == 0 ? 1 : 2;
      assertEquals(gets, cache.gets.get(), "lookups after point " + i);
      assertEquals(i + 1, cache.puts.get(), "puts after point " + i);
    }
  }

  @Test
  void shouldTakeAPointOnceHoweverOftenItComes() throws IOException {
    FinishedTrip right = null;
    for (Point point : POINTS) {
      right = builder.take(point).finished();
    }
    for (Point point : POINTS) {
      TripBuilder.Taken again = builder.take(point);
      assertFalse(again.gap());
      assertEquals(point.kind() == PointKind.END ? right : null, again.finished());
    }
    assertEquals(4, builder.again());
    assertEquals(4, cache.puts.get(), "nothing was put");
    assertEquals(8 + 65, builder.liveBytes());
    assertEquals(1, builder.ended());
  }

  @Test
  void shouldTellWhenThePointsBeforeAreNotThere() throws IOException {
    assertTrue(builder.take(POINTS.get(1)).gap(), "no trip");
    builder.take(POINTS.get(0));
    assertTrue(builder.take(POINTS.get(2)).gap(), "one is missing");
    builder.take(POINTS.get(1));
    assertFalse(builder.take(POINTS.get(2)).gap());
    builder.take(POINTS.get(3));
    Point beyond = new Point(TRIP, 4, PointKind.GO_ON, 1, 1, 1);
    assertTrue(builder.take(beyond).gap(), "it has ended");
    assertEquals(3, builder.gaps());
  }

  @Test
  void shouldTellWhenAnotherPointIsInItsPlace() throws IOException {
    builder.take(POINTS.get(0));
    for (Point other :
        List.of(
            new Point(TRIP, 0, PointKind.BEGIN, 101, 200, 1_000),
            new Point(TRIP, 0, PointKind.BEGIN, 100, 201, 1_000),
            new Point(TRIP, 0, PointKind.BEGIN, 100, 200, 1_001),
            new Point(TRIP, 0, PointKind.END, 100, 200, 1_000))) {
      assertTrue(builder.take(other).gap(), other::toString);
    }
    assertEquals(1, cache.puts.get());
  }
}
