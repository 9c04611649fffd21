package dev.ringside.cassandra.load;

import java.util.List;
import java.util.Random;

/** Draws keys as cassandra-stress does, for other loads. Safe for any number of threads. */
public final class StressKeys {
  private final Distribution distribution;

  private StressKeys(Distribution distribution) {
    this.distribution = distribution;
  }

  /** Returns the names of the distributions. */
  public static List<String> ids() {
    return Distribution.ids();
  }

  /** Returns the distribution of that name; the first one for an unknown name. */
  public static StressKeys of(String id) {
    return new StressKeys(Distribution.of(id));
  }

  /**
   * Returns the number of a key, from 1, for an operation.
   *
   * @param number number of the operation, from 0
   */
  public long draw(Random random, long number, long keys) {
    return distribution.draw(random, number, keys);
  }
}
