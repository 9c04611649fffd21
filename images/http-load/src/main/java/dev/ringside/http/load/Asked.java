package dev.ringside.http.load;

import java.util.SplittableRandom;

/**
 * Chooses the entity of the next operation. For one thread.
 *
 * <p>A read that must miss requests a number above the population, which is never written.
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

  /** Chooses the entity of an operation by the operation's number. */
  void next(long operation) {
    if (orders.operation() == Operation.READ) {
      written = orders.missRatio() == 0 || random.nextDouble() >= orders.missRatio();
      number = random.nextInt(orders.common().keys()) + (written ? 0L : orders.common().keys());
    } else {
      number = orders.common().keyOffset() + operation % orders.common().keyCount();
    }
  }

  /** Returns the number of the entity. */
  long number() {
    return number;
  }

  /** Reports whether the entity is expected to exist. */
  boolean written() {
    return written;
  }
}
