package dev.ringside.cql.load;

import java.util.Random;

/**
 * Chooses the row of an operation. One thread uses it for all servers, so that all arms of a load
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
  long written(long operation) {
    return orders.common().keyOffset() + 1 + operation % orders.common().keyCount();
  }

  /** Returns the number of the row to read, from 1. */
  long read(long operation) {
    return orders.keys().draw(random, operation, orders.common().keys());
  }
}
