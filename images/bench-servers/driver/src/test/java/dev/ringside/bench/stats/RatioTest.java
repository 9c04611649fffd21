package dev.ringside.bench.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RatioTest {
  private static final double CLOSE = 1e-9;

  @Test
  void shouldCompareRoundByRound() {
    // Both double from round to round; their ratio never changes.
    Ratio ratio = Ratio.of(new double[] {2, 4, 8}, new double[] {1, 2, 4});
    assertEquals(3, ratio.n());
    assertEquals(2, ratio.mean(), CLOSE);
    assertEquals(2, ratio.low(), CLOSE);
    assertEquals(2, ratio.high(), CLOSE);
  }

  @Test
  void shouldGiveStudentsIntervalOfTheLogarithms() {
    // Logarithms -d, 0, d: mean 0, deviation d, and t(0.975, 2) = 4.302652730.
    double d = 0.1;
    Ratio ratio = Ratio.of(new double[] {Math.exp(-d), 1, Math.exp(d)}, new double[] {1, 1, 1});
    double half = 4.302652729696142 * d / Math.sqrt(3);
    assertEquals(1, ratio.mean(), CLOSE);
    assertEquals(Math.exp(-half), ratio.low(), CLOSE);
    assertEquals(Math.exp(half), ratio.high(), CLOSE);
  }

  @Test
  void shouldLeaveOutRoundsThatOneOfThemMissed() {
    Ratio ratio = Ratio.of(new double[] {3, Double.NaN, 5, 0}, new double[] {1, 1, Double.NaN, 1});
    assertEquals(1, ratio.n());
    assertEquals(3, ratio.mean(), CLOSE);
    assertTrue(Double.isNaN(ratio.low()));
    assertEquals(0, Ratio.of(new double[] {Double.NaN}, new double[] {1}).n());
  }
}
