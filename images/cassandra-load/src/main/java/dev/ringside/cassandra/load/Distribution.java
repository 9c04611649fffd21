package dev.ringside.cassandra.load;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/** Which keys are read, as cassandra-stress draws them. */
enum Distribution {
  /** What cassandra-stress reads by, unless told otherwise: the middle keys most. */
  GAUSSIAN {
    @Override
    long draw(Random random, long number, long keys) {
      double mean = (1 + keys) / 2d;
      double deviation = (keys - 1) / 2d / DEVIATIONS_TO_LIMIT;
      return bound((long) (deviation * random.nextGaussian() + mean), keys);
    }
  },
  /** Each key as often. */
  UNIFORM {
    @Override
    long draw(Random random, long number, long keys) {
      return bound((long) (1 + random.nextDouble() * keys), keys);
    }
  },
  /** One after the other. */
  SEQUENTIAL {
    @Override
    long draw(Random random, long number, long keys) {
      return 1 + number % keys;
    }
  };

  private static final double DEVIATIONS_TO_LIMIT = 3;

  /** A key's number from 1 on for the operation of that number. */
  abstract long draw(Random random, long number, long keys);

  private static long bound(long drawn, long keys) {
    return Math.max(1, Math.min(keys, drawn));
  }

  static List<String> ids() {
    return Arrays.stream(values()).map(Distribution::id).collect(Collectors.toList());
  }

  /** The distribution of that name; the first for a name that is none. */
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
