package dev.ringside.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class WindowLoopTest {
  private static final int CLOSED = 0;
  private static final long PATIENCE = 200;

  private final FakeClock clock = new FakeClock(1_000);
  private final Samples samples = new Samples(1, 1000);

  @Test
  void shouldWaitForTheOperationThatStraddlesTheEnd() {
    run(CLOSED, 1_000, 1_100, () -> pass(30));
    // They begin at 0, 30, 60 and 90; the last is answered at 120.
    assertEquals(4, samples.answered());
    assertEquals(120, samples.busyNanos());
  }

  @Test
  void shouldBeginNothingAtTheEnd() {
    run(CLOSED, 1_000, 1_100, () -> pass(50));
    assertEquals(2, samples.answered());
    assertEquals(100, samples.busyNanos());
  }

  @Test
  void shouldCountAThreadsTimeFromWhenItWasThere() {
    clock.pass(40);
    run(CLOSED, 1_000, 1_100, () -> pass(30));
    assertEquals(2, samples.answered());
    assertEquals(60, samples.busyNanos());
  }

  @Test
  void shouldDoNothingWhenItComesAfterTheEnd() {
    clock.pass(200);
    run(CLOSED, 1_000, 1_100, () -> pass(30));
    assertEquals(0, samples.answered());
    assertEquals(0, samples.busyNanos());
  }

  @Test
  void shouldCountTheTimeOfFailedOperationsButNoSample() {
    run(
        CLOSED,
        1_000,
        1_100,
        () -> {
          pass(60);
          return clock.nanoTime() > 1_100;
        });
    assertEquals(1, samples.answered());
    assertEquals(1, failed(ErrorKind.BROKEN));
    assertEquals(120, samples.busyNanos());
  }

  @Test
  void shouldCountTheWholeWindowOfAThreadWithoutConnection() {
    run(CLOSED, 1_000, 1_100, turn(() -> false, () -> pass(30)));
    assertEquals(0, samples.answered());
    assertEquals(1, failed(ErrorKind.UNCONNECTED));
    assertEquals(100, samples.busyNanos());
  }

  @Test
  void shouldCountTheWholeWindowWhenTheConnectionIsLostInIt() {
    BooleanSupplier untilThen = () -> clock.nanoTime() < 1_050;
    run(CLOSED, 1_000, 1_100, turn(untilThen, () -> pass(30)));
    assertEquals(2, samples.answered());
    assertEquals(100, samples.busyNanos());
  }

  /**
   * As in wrk2: a stall delays operations that are due in it, and their response times include the
   * delay.
   */
  @Test
  void shouldCountResponseTimesFromWhenOperationsWereDue() {
    int rate = 100_000_000; // due at 5, 15, 25, ...
    boolean[] stalled = new boolean[1];
    run(
        rate,
        1_000,
        1_100,
        () -> {
          boolean first = !stalled[0];
          stalled[0] = true;
          return pass(first ? 35 : 1);
        });
    assertEquals(10, samples.answered());
    assertEquals(100, samples.busyNanos());
    Histogram response = times(LatencyTags.RESPONSE);
    // 35 for the first (5 to 40), then 26 (15 to 41), 17, 8, and 1 for the six that began when due.
    assertEquals(35 + 26 + 17 + 8 + 6, Math.round(response.getMean() * 10));
    assertEquals(35 + 9, Math.round(times(LatencyTags.SERVICE).getMean() * 10));
    assertEquals(25 + 16 + 7, Math.round(times(LatencyTags.WAIT).getMean() * 10));
  }

  /**
   * Nine of ten operations were due during the first one, which ended 40 after the window's end.
   */
  @Test
  void shouldDoAllThatWasDueAfterAStandstillAtTheEnd() {
    boolean[] stalled = new boolean[1];
    run(
        100_000_000,
        1_000,
        1_100,
        () -> {
          boolean first = !stalled[0];
          stalled[0] = true;
          return pass(first ? 135 : 1);
        });
    assertEquals(10, samples.answered());
    assertEquals(9, samples.late());
    assertEquals(0, samples.notBegun());
    assertEquals(149, samples.busyNanos(), "140, and nine of 1");
    assertEquals(135, times(LatencyTags.RESPONSE).getMaxValue());
    assertEquals(149 - 95, times(LatencyTags.RESPONSE).getMinValue());
  }

  @Test
  void shouldGiveUpWhatHasNotBegunWhenItsPatienceIsOver() {
    run(100_000_000, 1_000, 1_100, () -> pass(150));
    // They begin 5 and 155 after the start; at 305 it is too late.
    assertEquals(2, samples.answered());
    assertEquals(1, samples.late());
    assertEquals(8, samples.notBegun());
    assertEquals(305, samples.busyNanos());
  }

  @Test
  void shouldLastUntilTheWindowsEnd() {
    run(10_000_000, 1_000, 1_100, () -> pass(1)); // due at 50
    assertEquals(1_100, clock.nanoTime());
    assertEquals(100, samples.busyNanos());
  }

  @Test
  void shouldSpreadSidesOverThePeriod() {
    assertEquals(125, new Pace(4_000_000).due(0));
    assertEquals(125 + 250, new Pace(4_000_000).due(1));
    assertEquals(125, new Pace(4_000_000, 1, 0, 2).due(0));
    assertEquals(375, new Pace(4_000_000, 1, 1, 2).due(0));
    assertEquals(125 + 500, new Pace(4_000_000, 1, 0, 2).due(1));
  }

  /** For any distribution of service times, and any ratio of their mean to the window. */
  @Property(tries = 30)
  void shouldFindTheRateOfAKnownServiceTime(
      @ForAll @DoubleRange(min = 0.02, max = 3) double meanInWindows, @ForAll long seed) {
    int window = 1_000_000;
    double mean = meanInWindows * window;
    Random random = new Random(seed);
    // Exponential times; one in ten is ten times as long, which makes a heavy tail.
    Turn turn =
        turn(
            () -> true,
            () -> {
              double scale = random.nextInt(10) == 0 ? 10 / 1.9 : 1 / 1.9;
              return pass(Math.round(-Math.log(1 - random.nextDouble()) * mean * scale));
            });
    long operations = 0;
    long busy = 0;
    int windows = 40_000;
    for (int i = 0; i < windows; i++) {
      long start = clock.nanoTime();
      run(CLOSED, start, start + window, turn);
      operations += samples.answered();
      busy += samples.busyNanos();
    }
    double rate = operations * mean / busy;
    assertTrue(Math.abs(rate - 1) < 0.06, "rate is off by a factor of " + rate);
  }

  private long failed(ErrorKind kind) {
    Tally tally = new Tally();
    samples.outcomes().forEach(tally::ended);
    assertEquals(tally.failed(), tally.failures().getOrDefault(kind, 0L), "and nothing else did");
    return tally.failed();
  }

  private Histogram times(int kind) {
    Histogram histogram = new Histogram(HistogramLog.DIGITS);
    samples.addTo(histogram, kind);
    return histogram;
  }

  private void run(int rate, long start, long end, BooleanSupplier operation) {
    run(rate, start, end, turn(() -> true, operation));
  }

  private void run(int rate, long start, long end, Turn turn) {
    Slot slot = new Slot(List.of(new Side(0, "a")));
    Window window = new Window(slot, start, end, rate, 1, PATIENCE);
    WindowLoop.run(clock, window, window.agenda(0), turn, samples);
  }

  private boolean pass(long nanos) {
    clock.pass(nanos);
    return true;
  }

  private static Turn turn(BooleanSupplier open, BooleanSupplier operation) {
    return new Turn() {
      @Override
      public boolean open() {
        return open.getAsBoolean();
      }

      @Override
      public Outcome take() {
        return operation.getAsBoolean() ? Outcome.DONE : Outcome.failed(ErrorKind.BROKEN);
      }
    };
  }
}
