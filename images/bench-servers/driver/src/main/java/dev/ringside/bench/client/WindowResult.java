package dev.ringside.bench.client;

import dev.ringside.bench.wire.HistogramText;
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
 * @param all service times of all requests in ns
 * @param quick service times of the requests without a delay
 * @param lateP99Nanos 99th percentile of the client's own delay in sending a request that was due
 *     while a connection was free; 0 in a closed loop
 * @param turnedRate requests answered per second since handlers turned slow; NaN if they did not
 */
public record WindowResult(
    long inTime,
    long total,
    long elapsedNanos,
    long clientCpuNanos,
    double clientWaitNanos,
    Histogram all,
    Histogram quick,
    long lateP99Nanos,
    double turnedRate) {

  /** Returns the requests per second. */
  public double rate() {
    return inTime * 1e9 / elapsedNanos;
  }

  /** Returns the share of one core that the client's thread used, 0 to 1. */
  public double clientBusy() {
    return (double) clientCpuNanos / elapsedNanos;
  }

  /** Returns the share of the window in which the client's thread waited for a core, 0 to 1. */
  public double clientWaiting() {
    return clientWaitNanos / elapsedNanos;
  }

  /** Returns the result as one line. */
  public String line() {
    return inTime
        + " "
        + total
        + " "
        + elapsedNanos
        + " "
        + clientCpuNanos
        + " "
        + clientWaitNanos
        + " "
        + HistogramText.of(all)
        + " "
        + HistogramText.of(quick)
        + " "
        + lateP99Nanos
        + " "
        + turnedRate;
  }

  /** Parses the result of {@link #line()}. */
  public static WindowResult parse(String line) {
    String[] words = line.split(" ");
    return new WindowResult(
        Long.parseLong(words[0]),
        Long.parseLong(words[1]),
        Long.parseLong(words[2]),
        Long.parseLong(words[3]),
        Double.parseDouble(words[4]),
        HistogramText.parse(words[5]),
        HistogramText.parse(words[6]),
        Long.parseLong(words[7]),
        Double.parseDouble(words[8]));
  }
}
