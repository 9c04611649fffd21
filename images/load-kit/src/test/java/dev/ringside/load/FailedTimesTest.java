package dev.ringside.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class FailedTimesTest {
  private static final int BATCH = 3;

  /** An operation that failed at once was not fast. It was due when its line ends less its time. */
  @Test
  void shouldCountAnOperationWhenItsClientWouldHaveGivenUp() {
    FailedTimes times = new FailedTimes(10_000);
    times.add(100, 600);
    assertEquals(0, times.until(599, false, BATCH).getTotalCount());
    Histogram logged = times.until(600, false, BATCH);
    assertEquals(BATCH, logged.getTotalCount());
    assertEquals(500, logged.getMaxValue());
    assertEquals(0, times.until(700, true, BATCH).getTotalCount(), "once");
  }

  @Test
  void shouldCountThoseThatAreLeftUntilTheEndOfTheLoad() {
    FailedTimes times = new FailedTimes(10_000);
    times.add(100, 5_000);
    times.add(200, 900);
    Histogram logged = times.until(1_000, true, 1);
    assertEquals(700, logged.getMinValue());
    assertEquals(900, logged.getMaxValue());
  }

  @Test
  void shouldCountNoTimeBeyondTheLongest() {
    FailedTimes times = new FailedTimes(1_000);
    times.add(0, 5_000);
    assertEquals(1_000, times.until(9_000, false, 1).getMaxValue());
  }
}
