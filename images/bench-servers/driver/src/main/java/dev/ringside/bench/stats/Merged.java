package dev.ringside.bench.stats;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * Holds a percentile of the requests of all rounds together, with a 95% interval. A mean of the
 * rounds' percentiles would not be that percentile.
 *
 * <p>Rounds have fresh processes and are the highest level of repetition. So the bootstrap
 * resamples rounds with all their requests (Kalibera and Jones, "Rigorous benchmarking in
 * reasonable time", ISMM 2013). There is one window per round, so the level below has nothing to
 * resample. With few rounds, such an interval is too short.
 *
 * @param micros NaN if fewer than ten requests took longer
 * @param low lower end of the interval; NaN with fewer than four rounds
 * @param high upper end
 */
public record Merged(double micros, double low, double high) {
  static final Merged NONE = new Merged(Double.NaN, Double.NaN, Double.NaN);

  private static final int LEAST_ROUNDS = 4;
  private static final int LEAST_BEYOND = 10;
  private static final int DRAWS = 2000;
  private static final double TAIL = 0.025;
  private static final double MICRO = 1e-3;

  /** Constant, so that the same figures always give the same interval. */
  private static final long SEED = 2013;

  /** Computes a quantile of rounds. Rounds without requests are ignored. */
  static Merged of(List<Times> all, double quantile) {
    List<Times> rounds = all.stream().filter(times -> times.count() > 0).toList();
    long count = rounds.stream().mapToLong(Times::count).sum();
    // 0.001 has no exact binary value: 10,000 requests have ten above the 99.9th percentile.
    if (count * (1 - quantile) < LEAST_BEYOND - 1e-6) {
      return NONE;
    }
    long[] values =
        rounds.stream()
            .flatMapToLong(times -> LongStream.of(times.nanos()))
            .sorted()
            .distinct()
            .toArray();
    int[] once = new int[rounds.size()];
    Arrays.fill(once, 1);
    double whole = at(rounds, once, values, quantile);
    if (rounds.size() < LEAST_ROUNDS) {
      return new Merged(whole, Double.NaN, Double.NaN);
    }
    SplittableRandom random = new SplittableRandom(SEED);
    double[] draws = new double[DRAWS];
    for (int i = 0; i < DRAWS; i++) {
      int[] times = new int[rounds.size()];
      for (int j = 0; j < times.length; j++) {
        times[random.nextInt(times.length)]++;
      }
      draws[i] = at(rounds, times, values, quantile);
    }
    Arrays.sort(draws);
    int edge = (int) (TAIL * DRAWS);
    return new Merged(whole, draws[edge], draws[DRAWS - 1 - edge]);
  }

  /** Returns the quantile of rounds with weights. */
  private static double at(List<Times> rounds, int[] weights, long[] values, double quantile) {
    long rank = Times.rank(quantile, upTo(rounds, weights, values[values.length - 1]));
    int low = 0;
    int high = values.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (upTo(rounds, weights, values[middle]) >= rank) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return values[low] * MICRO;
  }

  private static long upTo(List<Times> rounds, int[] weights, long nanos) {
    long sum = 0;
    for (int i = 0; i < weights.length; i++) {
      sum += weights[i] == 0 ? 0 : weights[i] * rounds.get(i).countUpTo(nanos);
    }
    return sum;
  }
}
