package dev.ringside.load;

/** Quantiles of Student's t-distribution. */
final class Student {
  /** The 95% quantiles for 1 to 18 degrees of freedom. */
  private static final double[] QUANTILES = {
    6.3138, 2.9200, 2.3534, 2.1318, 2.0150, 1.9432, 1.8946, 1.8595, 1.8331, 1.8125, 1.7959, 1.7823,
    1.7709, 1.7613, 1.7531, 1.7459, 1.7396, 1.7341
  };

  private Student() {}

  /**
   * Returns the 95% quantile, by linear interpolation between whole degrees of freedom; for more
   * than 18 it is that of 18.
   */
  static double quantile95(double freedom) {
    double place = Math.max(0, Math.min(QUANTILES.length - 1, freedom - 1));
    int below = (int) place;
    int above = Math.min(QUANTILES.length - 1, below + 1);
    return QUANTILES[below] + (place - below) * (QUANTILES[above] - QUANTILES[below]);
  }
}
