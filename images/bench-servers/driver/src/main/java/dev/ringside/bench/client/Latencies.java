package dev.ringside.bench.client;

import org.HdrHistogram.Histogram;

/**
 * What is read from a histogram of service times, in ns; zeros if it is empty.
 *
 * @param count values in it
 */
public record Latencies(long count, long p50, long p99, long p999, long max) {
  static Latencies of(Histogram histogram) {
    return new Latencies(
        histogram.getTotalCount(),
        histogram.getValueAtPercentile(50),
        histogram.getValueAtPercentile(99),
        histogram.getValueAtPercentile(99.9),
        histogram.getMaxValue());
  }

  private static final int FIELDS = 5;

  String line() {
    return count + " " + p50 + " " + p99 + " " + p999 + " " + max;
  }

  static Latencies parse(String[] words, int at) {
    return new Latencies(
        Long.parseLong(words[at]),
        Long.parseLong(words[at + 1]),
        Long.parseLong(words[at + 2]),
        Long.parseLong(words[at + 3]),
        Long.parseLong(words[at + 4]));
  }

  static int fields() {
    return FIELDS;
  }
}
