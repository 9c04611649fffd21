package dev.ringside.thrift;

import java.util.Arrays;

/**
 * In how many of a period's looks each loop was found busy. Looks that were left out, because
 * nothing happened, count as looks at idle loops. Not thread-safe.
 */
final class LoopSamples {
  private final int[] busy;
  private final long lookNanos;
  private int looks;

  /** Samples of so many loops, of which one is taken in so many ns. */
  LoopSamples(int loops, long lookNanos) {
    this.busy = new int[loops];
    this.lookNanos = lookNanos;
  }

  /** One more look begins. */
  void begin() {
    looks++;
  }

  /** The look has found the loop busy. */
  void busy(int loop) {
    busy[loop]++;
  }

  /** Nobody has looked for so long. */
  void leftOut(long nanos) {
    looks += (int) Math.min(nanos / lookNanos, Integer.MAX_VALUE / 2);
  }

  int looks() {
    return looks;
  }

  /** The share of the looks that have found the loop busy. */
  double share(int loop) {
    return looks == 0 ? 0 : (double) busy[loop] / looks;
  }

  /** Begins a new period. */
  void clear() {
    looks = 0;
    Arrays.fill(busy, 0);
  }
}
