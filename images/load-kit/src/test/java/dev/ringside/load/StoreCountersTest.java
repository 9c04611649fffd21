package dev.ringside.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StoreCountersTest {
  private static final long LONG = TimeUnit.SECONDS.toMillis(30);

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void shouldReadAllPods() throws Exception {
    try (FakeCounters first = counting(100);
        FakeCounters second = counting(1);
        StoreCounters counters = of(LONG, first, second)) {
      Reading before = counters.read();
      Reading after = counters.read();
      assertEquals(Map.of("cpu_ns", 101L), after.since(before));
      assertEquals(2, first.readings());
    }
  }

  @Test
  void shouldAskAgainWhenAnAnswerIsLost() throws Exception {
    try (FakeCounters lossy =
            new FakeCounters((number, id) -> number == 1 ? null : "id " + id + "\ncpu_ns 1\n");
        StoreCounters counters = of(4_000, lossy)) {
      assertTrue(counters.read().complete());
    }
  }

  /** The patience applies to all pods together, however many do not answer. */
  @Test
  void shouldWaitNoLongerThanItsPatience() throws Exception {
    try (FakeCounters there = counting(1);
        FakeCounters gone = new FakeCounters((number, id) -> null);
        FakeCounters gone2 = new FakeCounters((number, id) -> null);
        StoreCounters counters = of(200, there, gone, gone2)) {
      long start = System.nanoTime();
      assertFalse(counters.read().complete());
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      assertTrue(millis >= 190 && millis < 5_000, millis + " ms");
      assertTrue(err.toString().contains("no counters from /127.0.0.1:"), err::toString);
    }
  }

  @Test
  void shouldNotTakeALateAnswerForTheNextQuestions() throws Exception {
    try (FakeCounters late =
            new FakeCounters(
                (number, id) -> "id " + (Long.parseLong(id) - 1) + "\ncpu_ns " + number + "\n");
        StoreCounters counters = of(100, late)) {
      assertFalse(counters.read().complete());
      assertFalse(counters.read().complete());
    }
  }

  /** As a store is whose pods collect garbage for seconds: its busiest windows must not be all. */
  @Test
  void shouldAskAgainHoweverManyReadingsWereIncomplete() throws Exception {
    try (FakeCounters busy =
            new FakeCounters(
                (number, id) -> Long.parseLong(id) > 5 ? "id " + id + "\ncpu_ns 1\n" : null);
        StoreCounters counters = of(2_000, busy)) {
      long start = System.nanoTime();
      for (int i = 0; i < 5; i++) {
        assertFalse(counters.read().complete());
      }
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      assertTrue(millis >= 6_300 && millis < 9_000, "patient three times only: " + millis + " ms");
      assertTrue(counters.read().complete());
      assertEquals(3, err.toString().lines().count(), err::toString);
    }
  }

  @Test
  void shouldGoOnAfterOneIncompleteReading() throws Exception {
    try (FakeCounters lossy =
            new FakeCounters(
                (number, id) -> Long.parseLong(id) % 3 == 1 ? "id " + id + "\ncpu_ns 1\n" : null);
        StoreCounters counters = of(2_000, lossy)) { // also on a busy machine
      for (int i = 0; i < 4; i++) {
        assertEquals(i % 3 == 0, counters.read().complete());
      }
    }
  }

  @Test
  void shouldLeaveAPodThatHasNoAddressUnread() throws Exception {
    PrintStream errors = new PrintStream(err, true);
    List<Endpoint> nowhere = List.of(Endpoint.of("no.such.host.invalid:1"));
    try (StoreCounters counters = new StoreCounters(nowhere, 20, errors)) {
      assertFalse(counters.read().complete());
    }
  }

  @Test
  void shouldReadWhatIsWellFormed() {
    assertEquals(
        Map.of("cpu_ns", 12L, "gc_count", 0L),
        StoreCounters.parse("id 3\ncpu_ns 12\ngc_count 0", 3));
    for (String answer :
        List.of(
            "", "cpu_ns 1", "id 4\ncpu_ns 1", "id 3\ncpu_ns -1", "id 3\ncpu ns 1", "id 3\nCPU 1")) {
      assertNull(StoreCounters.parse(answer, 3), answer);
    }
  }

  private StoreCounters of(long patienceMillis, FakeCounters... pods) throws Exception {
    List<Endpoint> endpoints = List.of(pods).stream().map(FakeCounters::endpoint).toList();
    return new StoreCounters(endpoints, patienceMillis, new PrintStream(err, true));
  }

  /** Returns a port with a counter that increases by a fixed step per request. */
  private static FakeCounters counting(long step) throws Exception {
    return FakeCounters.cpu("127.0.0.1", number -> step * number);
  }
}
