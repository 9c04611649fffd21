package dev.ringside.bench.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MergedTest {
  private static final double CLOSE = 1e-9;

  /**
   * Four rounds have 1,000 requests each, and one round has all slow ones: the result is not the
   * mean of the percentiles.
   */
  @Test
  void shouldTakeAllRoundsRequestsTogether() {
    Times quick = round(1000, 0);
    Times slow = round(1000, 50);
    Merged merged = Merged.of(List.of(quick, quick, quick, slow), 0.99);
    assertEquals(5000, merged.micros(), CLOSE, "50 of 4,000 are more than one in a hundred");
    assertEquals(1, Merged.of(List.of(quick, quick, quick, quick), 0.99).micros(), CLOSE);
  }

  @Test
  void shouldReachAsFarAsRoundsDiffer() {
    Times quick = round(1000, 0);
    Merged alike = Merged.of(Collections.nCopies(6, quick), 0.99);
    assertEquals(new Merged(1, 1, 1), alike);
    Merged apart =
        Merged.of(List.of(quick, quick, quick, round(1000, 50), round(1000, 90), quick), 0.99);
    assertEquals(1, apart.low(), CLOSE);
    assertEquals(5000, apart.high(), CLOSE);
    assertEquals(
        apart,
        Merged.of(List.of(quick, quick, quick, round(1000, 50), round(1000, 90), quick), 0.99),
        "the same figures give the same interval");
  }

  @ParameterizedTest
  @CsvSource({
    "0.99, 333, 3, false, false",
    "0.99, 334, 3, true, false",
    "0.99, 250, 4, true, true",
    "0.999, 2499, 4, false, false",
    "0.999, 2500, 4, true, true",
    "0.999, 10000, 1, true, false"
  })
  void shouldWithholdWhatRestsOnTooLittle(
      double quantile, int requests, int rounds, boolean figure, boolean interval) {
    Merged merged = Merged.of(Collections.nCopies(rounds, round(requests, 1)), quantile);
    assertEquals(figure, !Double.isNaN(merged.micros()));
    assertEquals(interval, !Double.isNaN(merged.low()) && !Double.isNaN(merged.high()));
  }

  @Test
  void shouldLeaveOutRoundsWithoutRequests() {
    Times quick = round(1000, 0);
    Merged merged = Merged.of(Stream.of(quick, Times.NONE, quick, quick).toList(), 0.99);
    assertEquals(1, merged.micros(), CLOSE);
    assertTrue(Double.isNaN(merged.low()), "three rounds are left");
  }

  /** Returns requests of 1 µs and slow ones of 5 ms. */
  private static Times round(int requests, int slow) {
    return Times.of(
        LongStream.concat(
                LongStream.generate(() -> 1000).limit(requests - slow),
                LongStream.generate(() -> 5_000_000).limit(slow))
            .toArray());
  }
}
