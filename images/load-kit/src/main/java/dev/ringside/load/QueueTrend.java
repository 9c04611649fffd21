package dev.ringside.load;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * By how much a queue grew over a step, and within which bounds that is known: of each of the two
 * with 95% confidence.
 *
 * <p>What lies close together in time is alike: a queue that is long now is so in a moment. Samples
 * are therefore averaged in {@value #PIECES} pieces of time (the method of batch means), a straight
 * line is drawn through the averages by least squares, and its standard error counts as many
 * independent ones as their autocorrelation r leaves: n (1 - r) / (1 + r), as Santer et al. have it
 * (Journal of Geophysical Research 105, 2000, 7337). The r of so few is too low by (1 + 4 r) / n
 * beside a mean, as Tjøstheim and Paulsen found (Biometrika 70, 1983, 389), and beside a line by
 * somewhat more; it is mended by the former. In simulated queues at nine tenths of what their
 * server can do, 3 to 7 steps of 100 then seem to grow, where 5 are meant to.
 *
 * <p>The first fifth of a step is left out: there the queue fills to its level.
 */
final class QueueTrend {
  /** Of the step, behind its first fifth. */
  static final int PIECES = 20;

  /** Fewer that have a sample say nothing. */
  private static final int LEAST_PIECES = PIECES / 2;

  private static final double LEFT_OUT = 0.2;
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  /** Or nothing would be left of the degrees of freedom. */
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
   * The trend of a step.
   *
   * @param samples in the order of their times
   * @param stepNanos how long the step was
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

  /** The line through the first n of the averages. */
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

  /** How much what is left of an average is like that of the one before it: from 0 to almost 1. */
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

  /** Times at which the store told its queue. */
  int samples() {
    return samples;
  }

  /** Whether it did so often enough. */
  boolean known() {
    return known;
  }

  /** Operations a second, by the line; below 0 where the queue became shorter. */
  double growth() {
    return growth;
  }

  /** It grows by no less, with 95% confidence. */
  double least() {
    return growth - margin;
  }

  /** It grows by no more, with 95% confidence: what is less could not be seen. */
  double most() {
    return growth + margin;
  }

  /**
   * Whether it grows, with 95% confidence: by one operation over the step at least, or the last bit
   * of a sum would decide.
   */
  boolean grows() {
    return known && least() * seconds >= 1;
  }
}
