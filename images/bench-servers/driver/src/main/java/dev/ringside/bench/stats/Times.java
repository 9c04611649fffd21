package dev.ringside.bench.stats;

import dev.ringside.bench.wire.HistogramText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Holds the recorded times of requests and their counts. A run keeps thousands of these, and a
 * histogram would use some hundred KB each. Immutable.
 */
public final class Times {
  static final Times NONE = new Times(new long[0], new long[0], "");
  private static final double MICRO = 1e-3;

  private final long[] nanos;

  /** Counts of recorded values up to and including each value. */
  private final long[] upTo;

  private final String text;

  private Times(long[] nanos, long[] upTo, String text) {
    this.nanos = nanos;
    this.upTo = upTo;
    this.text = text;
  }

  /** Returns the values of a histogram in ns. */
  public static Times of(Histogram histogram) {
    List<Long> nanos = new ArrayList<>();
    List<Long> upTo = new ArrayList<>();
    for (HistogramIterationValue value : histogram.recordedValues()) {
      nanos.add(value.getValueIteratedTo());
      upTo.add(value.getTotalCountToThisValue());
    }
    return new Times(longs(nanos), longs(upTo), HistogramText.of(histogram));
  }

  /** Returns given times in ns, for tests. */
  static Times of(long... sortedNanos) {
    TreeMap<Long, Long> upTo = new TreeMap<>();
    for (int i = 0; i < sortedNanos.length; i++) {
      upTo.put(sortedNanos[i], i + 1L);
    }
    return new Times(
        longs(new ArrayList<>(upTo.keySet())), longs(new ArrayList<>(upTo.values())), "");
  }

  private static long[] longs(List<Long> values) {
    return values.stream().mapToLong(Long::longValue).toArray();
  }

  /** Returns the histogram as one word; empty if there is none. */
  public String text() {
    return text;
  }

  long count() {
    return upTo.length == 0 ? 0 : upTo[upTo.length - 1];
  }

  /** Returns the number of requests up to a limit. */
  long countUpTo(long limitNanos) {
    int at = Arrays.binarySearch(nanos, limitNanos);
    int last = at >= 0 ? at : -at - 2;
    return last < 0 ? 0 : upTo[last];
  }

  /** Returns all recorded values in ascending order. Do not modify the array. */
  long[] nanos() {
    return nanos;
  }

  /** Returns the rank of a quantile: the smallest with at least that share at or below it. */
  static long rank(double quantile, long count) {
    return Math.max(1, (long) Math.ceil(quantile * count - 1e-9 * count));
  }

  private double micros(double quantile) {
    if (count() == 0) {
      return Double.NaN;
    }
    long rank = rank(quantile, count());
    int at = 0;
    while (upTo[at] < rank) {
      at++;
    }
    return nanos[at] * MICRO;
  }

  /** Returns the median in µs, or NaN without requests, as the other methods do. */
  public double p50() {
    return micros(0.5);
  }

  /** Returns the 99th percentile in µs. */
  public double p99() {
    return micros(0.99);
  }

  /** Returns the 99.9th percentile in µs. */
  public double p999() {
    return micros(0.999);
  }

  /** Returns the longest time in µs. */
  public double max() {
    return micros(1);
  }
}
