package dev.ringside.thrift.internal.loop;

import java.util.Arrays;

/**
 * Counts in how many samples of a period each loop was busy. Samples that were left out, because
 * nothing happened, count as samples of idle loops. Not thread-safe.
 */
public final class LoopSamples {
  private final int[] busy;
  private final long lookNanos;
  private int looks;

  /** Creates samples of a number of loops, one sample per {@code lookNanos}. */
  public LoopSamples(int loops, long lookNanos) {
    this.busy = new int[loops];
    this.lookNanos = lookNanos;
  }

  /** Begins a sample. */
  public void begin() {
    looks++;
  }

  /** Records that the current sample found the loop busy. */
  public void busy(int loop) {
    busy[loop]++;
  }

  /** Records a time in which no sample was taken, in ns. */
  public void leftOut(long nanos) {
    looks += (int) Math.min(nanos / lookNanos, Integer.MAX_VALUE / 2);
  }

  public int looks() {
    return looks;
  }

  /** Returns the share of samples that found the loop busy. */
  public double share(int loop) {
    return looks == 0 ? 0 : (double) busy[loop] / looks;
  }

  /** Begins a new period. */
  public void clear() {
    looks = 0;
    Arrays.fill(busy, 0);
  }
}
