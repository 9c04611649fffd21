package dev.ringside.load;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The growth of a queue over a step, with two bounds of which each holds with 95% confidence.
 *
 * <p>Samples that are close in time are similar (autocorrelation). They are therefore averaged over
 * {@value #PIECES} pieces of time (the method of batch means), and a straight line is fitted to the
 * averages by least squares. The standard error of its slope uses the effective number of
 * independent averages, n (1 - r) / (1 + r) with the lag-1 autocorrelation r of the residuals
 * (Santer et al., Journal of Geophysical Research 105, 2000, 7337). With so few averages the
 * estimate of r is too low: around a mean by (1 + 4 r) / n (Tjøstheim and Paulsen, Biometrika 70,
 * 1983, 389), around a line by somewhat more. The former correction is applied. In simulated queues
 * at 90% utilization, 3 to 7 of 100 steps then seem to grow; 5 is the nominal number.
 *
 * <p>The first fifth of a step is left out, because the queue fills to its level there.
 */
final class QueueTrend {
  /** The number of pieces of the step after its first fifth. */
  static final int PIECES = 20;

  /** The least number of pieces with a sample for a trend. */
  private static final int LEAST_PIECES = PIECES / 2;

  private static final double LEFT_OUT = 0.2;
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  /** The greatest autocorrelation; a greater one would leave no degrees of freedom. */
  private static final double MOST_ALIKE = 0.999;

  private final int samples;
  private final boolean known;
  private final double growth;
  private final double margin;
  private final double seconds;

  private QueueTrend(int samples, boolean known, double growth, double margin, double seconds) {
    this.samples = samples;
    this.known = known;
    this.growth = growth;
    this.margin = margin;
    this.seconds = seconds;
  }

  /**
   * Returns the trend of a step.
   *
   * @param samples in the order of their times
   * @param stepNanos length of the step
   */
  static QueueTrend of(List<Backlog> samples, long stepNanos) {
    double from = LEFT_OUT * stepNanos;
    double piece = (stepNanos - from) / PIECES;
    double[] times = new double[PIECES];
    double[] lengths = new double[PIECES];
    int[] counts = new int[PIECES];
    for (Backlog sample : samples) {
      if (sample.nanos() >= from) {
        int at = Math.min(PIECES - 1, (int) ((sample.nanos() - from) / piece));
        times[at] += sample.nanos() / NANOS_PER_SECOND;
        lengths[at] += sample.length();
        counts[at]++;
      }
    }
    int known = 0;
    for (int at = 0; at < PIECES; at++) {
      if (counts[at] > 0) {
        times[known] = times[at] / counts[at];
        lengths[known] = lengths[at] / counts[at];
        known++;
      }
    }
    return known < LEAST_PIECES
        ? new QueueTrend(samples.size(), false, 0, 0, 0)
        : through(samples.size(), times, lengths, known);
  }

  /** Fits the line to the first n averages. */
  private static QueueTrend through(int samples, double[] times, double[] lengths, int n) {
    double middle = mean(times, n);
    double level = mean(lengths, n);
    double spread = 0;
    double together = 0;
    for (int i = 0; i < n; i++) {
      spread += (times[i] - middle) * (times[i] - middle);
      together += (times[i] - middle) * (lengths[i] - level);
    }
    double slope = together / spread;
    double[] rest = new double[n];
    double squares = 0;
    for (int i = 0; i < n; i++) {
      rest[i] = lengths[i] - level - slope * (times[i] - middle);
      squares += rest[i] * rest[i];
    }
    double alike = alike(rest, squares);
    double freedom = Math.max(1, n * (1 - alike) / (1 + alike) - 2);
    double margin = Student.quantile95(freedom) * Math.sqrt(squares / freedom / spread);
    return new QueueTrend(samples, true, slope, margin, times[n - 1] - times[0]);
  }

  private static double mean(double[] values, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
      sum += values[i];
    }
    return sum / n;
  }

  /** Returns the lag-1 autocorrelation of the residuals, from 0 to almost 1. */
  private static double alike(double[] rest, double squares) {
    if (squares == 0) {
      return 0;
    }
    double products = 0;
    for (int i = 1; i < rest.length; i++) {
      products += rest[i - 1] * rest[i];
    }
    double found = products / squares;
    return Math.max(0, Math.min(MOST_ALIKE, found + (1 + 4 * found) / rest.length));
  }

  /** Returns the number of samples of the store's queue. */
  int samples() {
    return samples;
  }

  /** Reports whether there were enough samples for a trend. */
  boolean known() {
    return known;
  }

  /** Returns the growth in operations per second; negative if the queue became shorter. */
  double growth() {
    return growth;
  }

  /** Returns the lower bound of the growth, with 95% confidence. */
  double least() {
    return growth - margin;
  }

  /**
   * Returns the upper bound of the growth, with 95% confidence: lower growth cannot be detected.
   */
  double most() {
    return growth + margin;
  }

  /**
   * Reports whether the queue grows, with 95% confidence. It must grow by at least one operation
   * over the step; otherwise a rounding error could decide.
   */
  boolean grows() {
    return known && least() * seconds >= 1;
  }
}
