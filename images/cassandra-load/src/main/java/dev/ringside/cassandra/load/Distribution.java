package dev.ringside.cassandra.load;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/** The distributions of the keys that are read, as in cassandra-stress. */
enum Distribution {
  /** The default of cassandra-stress: the middle keys are the most frequent. */
  GAUSSIAN {
    @Override
    long draw(Random random, long number, long keys) {
      double mean = (1 + keys) / 2d;
      double deviation = (keys - 1) / 2d / DEVIATIONS_TO_LIMIT;
      return bound((long) (deviation * random.nextGaussian() + mean), keys);
    }
  },
  /** All keys are equally frequent. */
  UNIFORM {
    @Override
    long draw(Random random, long number, long keys) {
      return bound((long) (1 + random.nextDouble() * keys), keys);
    }
  },
  /** Keys in their order. */
  SEQUENTIAL {
    @Override
    long draw(Random random, long number, long keys) {
      return 1 + number % keys;
    }
  };

  private static final double DEVIATIONS_TO_LIMIT = 3;

  /**
   * Returns the number of a key, from 1, for an operation.
   *
   * @param number number of the operation, from 0
   */
  abstract long draw(Random random, long number, long keys);

  private static long bound(long drawn, long keys) {
    return Math.max(1, Math.min(keys, drawn));
  }

  static List<String> ids() {
    return Arrays.stream(values()).map(Distribution::id).collect(Collectors.toList());
  }

  /** Returns the distribution of that name; {@link #GAUSSIAN} for an unknown name. */
  static Distribution of(String id) {
    return Arrays.stream(values())
        .filter(each -> each.id().equals(id))
        .findFirst()
        .orElse(GAUSSIAN);
  }

  private String id() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }
}
