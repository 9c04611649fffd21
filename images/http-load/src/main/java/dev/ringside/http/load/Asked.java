package dev.ringside.http.load;

import java.util.SplittableRandom;

/**
 * Which entity the next operation is for. For one thread.
 *
 * <p>A read that is to miss asks for an entity behind the population: of such numbers none is ever
 * written.
 */
final class Asked {
  private final Orders orders;
  private final SplittableRandom random;
  private long number;
  private boolean written;

  Asked(Orders orders, SplittableRandom random) {
    this.orders = orders;
    this.random = random;
  }

  /** Draws the entity for the operation of that number. */
  void next(long operation) {
    if (orders.operation() == Operation.READ) {
      written = orders.missRatio() == 0 || random.nextDouble() >= orders.missRatio();
      number = random.nextInt(orders.common().keys()) + (written ? 0L : orders.common().keys());
    } else {
      number = orders.common().keyOffset() + operation % orders.common().keyCount();
    }
  }

  /** Of the entity. */
  long number() {
    return number;
  }

  /** Whether it was written before, as far as a read may expect. */
  boolean written() {
    return written;
  }
}
