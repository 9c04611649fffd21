package dev.ringside.bench.stats;

import org.apache.commons.statistics.distribution.TDistribution;

/**
 * A ratio of two servers over several rounds: the geometric mean of the rounds' own ratios, with
 * the 95% confidence interval of Student's t over their logarithms.
 *
 * @param n rounds that both were measured in
 * @param low lower end of the interval; NaN with fewer than two rounds
 * @param high upper end
 */
public record Ratio(int n, double mean, double low, double high) {
  private static final double TAIL = 0.975;

  /** No round to compare in. */
  public static final Ratio NONE = new Ratio(0, Double.NaN, Double.NaN, Double.NaN);

  /** {@code a[i] / b[i]} over all rounds in which both are above zero. */
  public static Ratio of(double[] a, double[] b) {
    int n = 0;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < a.length; i++) {
      if (a[i] > 0 && b[i] > 0) {
        n++;
        sum += Math.log(a[i] / b[i]);
      }
    }
    if (n == 0) {
      return NONE;
    }
    double mean = sum / n;
    if (n == 1) {
      return new Ratio(1, Math.exp(mean), Double.NaN, Double.NaN);
    }
    for (int i = 0; i < a.length; i++) {
      if (a[i] > 0 && b[i] > 0) {
        double off = Math.log(a[i] / b[i]) - mean;
        squares += off * off;
      }
    }
    double half =
        TDistribution.of(n - 1).inverseCumulativeProbability(TAIL)
            * Math.sqrt(squares / (n - 1) / n);
    return new Ratio(n, Math.exp(mean), Math.exp(mean - half), Math.exp(mean + half));
  }
}
