package dev.ringside.bench.run;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Holds the result of one window of load.
 *
 * @param inTime requests answered within the window: the throughput's numerator
 * @param total all requests answered, including those in flight at the window's end
 * @param elapsedNanos length of the window
 * @param clientCpuNanos CPU time that the client's thread used in the window
 * @param clientWaitNanos time in the window in which that thread was runnable without a core; NaN
 *     if the kernel does not report it
 * @param turnedRate requests answered per second since handlers turned slow; NaN if they did not
 * @param all service times of all requests in ns
 * @param quick service times of the requests without a delay
 * @param late the client's own delays in sending a request that was due while a connection was
 *     free; empty in a closed loop
 */
record WindowResult(
    long inTime,
    long total,
    long elapsedNanos,
    long clientCpuNanos,
    double clientWaitNanos,
    double turnedRate,
    Histogram all,
    Histogram quick,
    Histogram late) {

  /** Longer times count as this one, in the load generator as well. */
  private static final long LONGEST = TimeUnit.MINUTES.toNanos(1);

  private static final int DIGITS = 3;
  private static final String NOTHING = "-";

  /**
   * Parses the load generator's answer.
   *
   * @throws IllegalArgumentException if it is none
   */
  static WindowResult parse(String line) {
    String[] words = line.split(" ");
    if (words.length != 9) {
      throw new IllegalArgumentException("no result of a window: " + line);
    }
    return new WindowResult(
        Long.parseLong(words[0]),
        Long.parseLong(words[1]),
        Long.parseLong(words[2]),
        Long.parseLong(words[3]),
        Double.parseDouble(words[4]),
        Double.parseDouble(words[5]),
        histogram(words[6]),
        histogram(words[7]),
        histogram(words[8]));
  }

  /** Parses {@code value:count,value:count}, each value the smallest of its bucket. */
  private static Histogram histogram(String word) {
    Histogram histogram = new Histogram(LONGEST, DIGITS);
    if (word.equals(NOTHING)) {
      return histogram;
    }
    for (String bucket : word.split(",")) {
      int colon = bucket.indexOf(':');
      long value = Long.parseLong(bucket.substring(0, colon));
      if (histogram.lowestEquivalentValue(value) != value) {
        throw new IllegalArgumentException(value + " begins no bucket of HdrHistogram");
      }
      histogram.recordValueWithCount(value, Long.parseLong(bucket.substring(colon + 1)));
    }
    return histogram;
  }

  /** Returns the requests per second. */
  double rate() {
    return inTime * 1e9 / elapsedNanos;
  }

  /** Returns the share of one core that the client's thread used, 0 to 1. */
  double clientBusy() {
    return (double) clientCpuNanos / elapsedNanos;
  }

  /** Returns the share of the window in which the client's thread waited for a core, 0 to 1. */
  double clientWaiting() {
    return clientWaitNanos / elapsedNanos;
  }

  /** Returns the 99th percentile of the client's delays in ns; 0 in a closed loop. */
  long lateP99Nanos() {
    return late.getValueAtPercentile(99);
  }
}
