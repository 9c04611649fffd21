package dev.ringside.contract;

import java.util.Collections;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * The compactions of a node that run or wait, by their name in docs/reference/store-contract.md, as
 * an answer to {@link Question#SIZES}. Thread-safe if the count is.
 */
public final class PendingCompactions implements Supplier<Map<String, Long>> {
  private final IntSupplier count;

  /**
   * Creates the answer.
   *
   * @param count asked for each answer, and not before the first one
   */
  public PendingCompactions(IntSupplier count) {
    this.count = count;
  }

  @Override
  public Map<String, Long> get() {
    return Collections.singletonMap("pending_compactions", (long) count.getAsInt());
  }
}
