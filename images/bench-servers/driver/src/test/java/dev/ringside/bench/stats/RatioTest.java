package dev.ringside.bench.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RatioTest {
  private static final double CLOSE = 1e-9;

  @Test
  void shouldCompareRoundByRound() {
    // Both values change from round to round; their ratio does not.
    Ratio ratio = Ratio.of(new double[] {2, 4, 8, 2, 4, 8}, new double[] {1, 2, 4, 1, 2, 4});
    assertEquals(6, ratio.n());
    assertEquals(2, ratio.median(), CLOSE);
    assertEquals(2, ratio.low(), CLOSE);
    assertEquals(2, ratio.high(), CLOSE);
  }

  /** The number of n values that the sign test omits at each end for 95%, from its table. */
  @ParameterizedTest
  @CsvSource({"6, 0", "8, 0", "9, 1", "11, 1", "12, 2", "15, 3", "20, 5"})
  void shouldGiveTheSignTestsInterval(int n, int leftOut) {
    double[] ratios = IntStream.rangeClosed(1, n).asDoubleStream().toArray();
    Ratio ratio = Ratio.of(ratios, DoubleStream.generate(() -> 1).limit(n).toArray());
    assertEquals(1 + leftOut, ratio.low());
    assertEquals(n - leftOut, ratio.high());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void shouldHaveNoIntervalOfTooFewRounds(int n) {
    double[] ones = DoubleStream.generate(() -> 1).limit(n).toArray();
    assertEquals(1, Ratio.of(ones, ones).median(), CLOSE);
    assertTrue(Double.isNaN(Ratio.of(ones, ones).low()));
  }

  @Test
  void shouldNotBeMovedByOneRoundOfAnotherKind() {
    double[] ones = {1, 1, 1, 1, 1, 1};
    Ratio ratio = Ratio.of(new double[] {1.1, 1.2, 1.1, 1.2, 1.1, 9}, ones);
    assertEquals(Math.sqrt(1.1 * 1.2), ratio.median(), CLOSE);
    assertEquals(1.1, ratio.low(), CLOSE);
    assertEquals(9, ratio.high(), CLOSE);
  }

  @Test
  void shouldLeaveOutRoundsThatOneOfThemMissed() {
    Ratio ratio = Ratio.of(new double[] {3, Double.NaN, 5, 0}, new double[] {1, 1, Double.NaN, 1});
    assertEquals(1, ratio.n());
    assertEquals(3, ratio.median(), CLOSE);
    assertTrue(Double.isNaN(ratio.low()));
    assertEquals(0, Ratio.of(new double[] {Double.NaN}, new double[] {1}).n());
  }
}
