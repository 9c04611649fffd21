package dev.ringside.cql.load;

import java.util.Random;

/**
 * Chooses the rows of an operation. One thread uses it for all servers, so that all arms of a load
 * share one stream.
 */
final class RowChoice {
  private final Orders orders;
  private final Random random;

  RowChoice(Orders orders, Random random) {
    this.orders = orders;
    this.random = random;
  }

  /** Returns the number of the row to write, from 1: the pod's share in order. */
  long inOrder(long operation) {
    return orders.common().keyOffset() + 1 + operation % orders.common().keyCount();
  }

  /** Returns the number of a row of the whole population, from 1. */
  long drawn(long operation) {
    return orders.keys().draw(random, operation, orders.common().keys());
  }

  /** Returns the numbers of the rows to read at once: a drawn one and those after it. */
  long[] several(long operation) {
    int population = orders.common().keys();
    long first = drawn(operation);
    long[] rows = new long[Math.min(orders.keysPerOperation(), population)];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = 1 + (first - 1 + i) % population;
    }
    return rows;
  }

  /** Returns the thread's random numbers, for what else an operation draws. */
  Random random() {
    return random;
  }

  /** Reports whether the next operation of a mixed phase is a write. */
  boolean writesNext() {
    return random.nextInt(orders.ratio().sum()) < orders.ratio().writes();
  }
}
