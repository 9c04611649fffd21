package dev.ringside.bench.stats;

import java.util.Arrays;
import org.apache.commons.statistics.distribution.BinomialDistribution;

/**
 * Holds a ratio of two servers over several rounds: the median of the rounds' ratios, with its 95%
 * confidence interval from order statistics (sign test).
 *
 * <p>Rounds have fresh processes and are the units (Kalibera and Jones, "Rigorous benchmarking in
 * reasonable time", ISMM 2013). The interval assumes no distribution. Rounds tend to have two
 * speeds: Student's t assumes a normal distribution, and a bootstrap of so few rounds gives too
 * short an interval. Below six rounds there is no interval, because all ratios are on one side of 1
 * by chance with a probability above 5%.
 *
 * @param n rounds in which both were measured
 * @param low lower end of the interval; NaN with fewer than six rounds
 * @param high upper end
 */
public record Ratio(int n, double median, double low, double high) {
  private static final double TAIL = 0.025;

  /** A ratio without any round. */
  public static final Ratio NONE = new Ratio(0, Double.NaN, Double.NaN, Double.NaN);

  /** Computes {@code a[i] / b[i]} over all rounds in which both are above zero. */
  public static Ratio of(double[] a, double[] b) {
    double[] ratios = new double[a.length];
    int n = 0;
    for (int i = 0; i < a.length; i++) {
      if (a[i] > 0 && b[i] > 0) {
        ratios[n++] = a[i] / b[i];
      }
    }
    if (n == 0) {
      return NONE;
    }
    double[] sorted = Arrays.copyOf(ratios, n);
    Arrays.sort(sorted);
    double median = Math.sqrt(sorted[(n - 1) / 2] * sorted[n / 2]);
    int off = leftOut(n);
    return off < 0
        ? new Ratio(n, median, Double.NaN, Double.NaN)
        : new Ratio(n, median, sorted[off], sorted[n - 1 - off]);
  }

  /**
   * Returns how many of n ratios the interval omits at each end, or -1 if all of them are too few.
   */
  private static int leftOut(int n) {
    BinomialDistribution below = BinomialDistribution.of(n, 0.5);
    int off = -1;
    while (below.cumulativeProbability(off + 1) <= TAIL) {
      off++;
    }
    return off;
  }
}
