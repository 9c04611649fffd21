package dev.ringside.bench.stats;

import java.util.Arrays;
import org.apache.commons.statistics.distribution.BinomialDistribution;

/**
 * A ratio of two servers over several rounds: the median of the rounds' own ratios, with its 95%
 * confidence interval from their order (the sign test's). Rounds, which have fresh processes, are
 * the units (Kalibera and Jones, "Rigorous benchmarking in reasonable time", ISMM 2013), and
 * nothing is taken of how they are spread: rounds have two speeds, which Student's t takes for a
 * bell and of which a bootstrap of so few draws too short an interval. The price: below six rounds
 * there is none, for even all of them on one side of 1 come by chance in more than one of twenty
 * races.
 *
 * @param n rounds that both were measured in
 * @param low lower end of the interval; NaN with fewer than six rounds
 * @param high upper end
 */
public record Ratio(int n, double median, double low, double high) {
  private static final double TAIL = 0.025;

  /** No round to compare in. */
  public static final Ratio NONE = new Ratio(0, Double.NaN, Double.NaN, Double.NaN);

  /** {@code a[i] / b[i]} over all rounds in which both are above zero. */
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

  /** How many of n the interval may leave out at each end; -1 if even all of them do not do. */
  private static int leftOut(int n) {
    BinomialDistribution below = BinomialDistribution.of(n, 0.5);
    int off = -1;
    while (below.cumulativeProbability(off + 1) <= TAIL) {
      off++;
    }
    return off;
  }
}
