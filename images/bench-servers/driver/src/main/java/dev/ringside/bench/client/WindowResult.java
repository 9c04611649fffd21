package dev.ringside.bench.client;

import dev.ringside.bench.wire.HistogramText;
import org.HdrHistogram.Histogram;

/**
 * What one window of load gave.
 *
 * @param inTime requests answered within the window: the throughput's numerator
 * @param total requests answered in all, those under way at its end included: what the server did
 * @param elapsedNanos length of the window
 * @param clientCpuNanos CPU time that the client's thread used in it
 * @param clientWaitNanos time in it in which that thread could have run and had no core; NaN where
 *     the kernel does not tell
 * @param all service times of all requests in ns
 * @param quick service times of the requests that were not told to wait
 * @param lateP99Nanos how late the client itself was to send what was due and had a connection to
 *     go by; 0 in a closed loop, where nothing is due
 * @param turnedRate requests answered per second since handlers turned; NaN if they did not
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

  /** Requests per second. */
  public double rate() {
    return inTime * 1e9 / elapsedNanos;
  }

  /** Share of one core that the client's thread used, 0 to 1. */
  public double clientBusy() {
    return (double) clientCpuNanos / elapsedNanos;
  }

  /** Share of the window in which the client's thread had to wait for a core, 0 to 1. */
  public double clientWaiting() {
    return clientWaitNanos / elapsedNanos;
  }

  /** The result as one line. */
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

  /** Reads what {@link #line()} wrote. */
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
