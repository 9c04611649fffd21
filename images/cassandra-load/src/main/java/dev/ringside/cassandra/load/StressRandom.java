package dev.ringside.cassandra.load;

import java.util.Random;

/**
 * The random generator of cassandra-stress for column values: an xorshift that is seeded again at
 * regular intervals. For one thread.
 */
final class StressRandom {
  private static final int DRAWS_PER_SEED = 32;
  private static final long MULTIPLIER = 2685821657736338717L;

  private final Random random = new Random();
  private long state;
  private int draws;

  void setSeed(long seed) {
    state = seed;
    sow();
  }

  private void sow() {
    draws = 0;
    random.setSeed(state);
    state = random.nextLong();
  }

  long nextLong() {
    draws++;
    if (draws == DRAWS_PER_SEED) {
      sow();
    }
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * MULTIPLIER;
  }
}
