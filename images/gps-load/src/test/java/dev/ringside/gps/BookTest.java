package dev.ringside.gps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.trip.stream.FinishedTrip;
import dev.ringside.trip.stream.Point;
import dev.ringside.trip.stream.PointKind;
import dev.ringside.trip.stream.TripSum;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests a trip of ten points, of which six were acknowledged when the store was killed. */
class BookTest {
  private static final long TRIP = 7;
  private static final int ALL = 10;
  private static final int BEFORE = 6;
  private final Book book = new Book();
  private final List<Point> points = new ArrayList<>();

  BookTest() {
    for (int number = 0; number < ALL; number++) {
      points.add(new Point(TRIP, number, PointKind.GO_ON, number, -number, 1_000L * number));
      book.sent(points.get(number));
    }
    book.acknowledged(points.subList(0, BEFORE), 0);
    book.killed();
  }

  @Test
  void shouldFindEverythingKept() {
    book.acknowledged(points.subList(BEFORE, ALL), 0);
    Balance balance = book.balance(Map.of(TRIP, held(ALL)));
    assertEquals(new Balance(10, 10, 10, 0, 0, 0), balance);
    assertTrue(balance.isEven());
  }

  @Test
  void shouldTellLostPointsFromThoseThatWereRefusedForThem() {
    book.acknowledged(points.subList(BEFORE, ALL), 4);
    assertEquals(new Balance(10, 10, 2, 4, 4, 0), book.balance(Map.of(TRIP, held(2))));
    assertEquals(new Balance(10, 10, 0, 6, 4, 0), book.balance(Map.of(TRIP, held(0))));
  }

  @Test
  void shouldCountAsLostWhatIsMissingThoughNothingWasKilledSince() {
    book.acknowledged(points.subList(BEFORE, ALL), 0);
    assertEquals(new Balance(10, 10, 8, 2, 0, 0), book.balance(Map.of(TRIP, held(8))));
  }

  @Test
  void shouldNotMissWhatWasNeverAcknowledged() {
    assertEquals(new Balance(10, 6, 6, 0, 0, 0), book.balance(Map.of(TRIP, held(9))));
  }

  @Test
  void shouldFindATripThatIsOtherThanItWasSent() {
    FinishedTrip right = held(BEFORE);
    FinishedTrip other =
        new FinishedTrip(TRIP, BEFORE, right.way(), right.millis(), right.digest() ^ 1);
    assertEquals(new Balance(10, 6, 0, 0, 0, 6), book.balance(Map.of(TRIP, other)));
    assertEquals(new Balance(10, 6, 0, 0, 0, 6), book.balance(Map.of()), "or is not told");
  }

  @Test
  void shouldSeeThatBooksDoNotComeOutEven() {
    book.acknowledged(points.subList(BEFORE, ALL), 0); // accepted after lost points
    assertFalse(book.balance(Map.of(TRIP, held(0))).isEven());
  }

  private FinishedTrip held(int first) {
    TripSum sum = new TripSum(TRIP);
    points
        .subList(0, first)
        .forEach(point -> sum.add(point.latitude(), point.longitude(), point.millis()));
    return sum.finish();
  }
}
