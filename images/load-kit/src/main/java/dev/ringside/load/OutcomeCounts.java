package dev.ringside.load;

import java.util.Arrays;
import java.util.function.ObjLongConsumer;

/**
 * Counts of a few outcomes. For one thread. Outcomes are compared by reference, so that counting an
 * operation costs a few comparisons.
 */
final class OutcomeCounts {
  private Outcome[] outcomes = new Outcome[4];
  private long[] counts = new long[4];
  private int size;

  void reset() {
    size = 0;
  }

  void add(Outcome outcome, int times) {
    for (int i = 0; i < size; i++) {
      if (outcomes[i] == outcome) {
        counts[i] += times;
        return;
      }
    }
    if (size == outcomes.length) {
      outcomes = Arrays.copyOf(outcomes, 2 * size);
      counts = Arrays.copyOf(counts, 2 * size);
    }
    outcomes[size] = outcome;
    counts[size] = times;
    size++;
  }

  void forEach(ObjLongConsumer<Outcome> action) {
    for (int i = 0; i < size; i++) {
      action.accept(outcomes[i], counts[i]);
    }
  }
}
