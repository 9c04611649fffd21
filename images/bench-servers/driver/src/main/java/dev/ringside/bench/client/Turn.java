package dev.ringside.bench.client;

import java.util.concurrent.TimeUnit;

/** Defines when calls turn slow in a window, and counts replies from then on. For one thread. */
final class Turn {
  /** Never turns. */
  static final Turn NEVER = new Turn(Long.MAX_VALUE, false);

  private final long atNanos;
  private final boolean comes;
  private long seenNanos;
  private long answeredBefore;
  private boolean seen;

  private Turn(long atNanos, boolean comes) {
    this.atNanos = atNanos;
    this.comes = comes;
  }

  /** Returns a turn at half of a window, or never. */
  static Turn of(boolean comes, long startNanos, long endNanos) {
    return comes ? new Turn(startNanos + (endNanos - startNanos) / 2, true) : NEVER;
  }

  /** Reports whether a time is after the turn. */
  boolean isOver(long nanos) {
    return comes && nanos - atNanos >= 0;
  }

  /** Must be called before the replies of a time are counted. */
  void look(long nanos, long answered) {
    if (!seen && isOver(nanos)) {
      seen = true;
      seenNanos = nanos;
      answeredBefore = answered;
    }
  }

  /** Returns the requests answered per second since the turn, or NaN without one. */
  double perSecond(long answered, long endNanos) {
    return seen && endNanos - seenNanos > 0
        ? (answered - answeredBefore)
            * (double) TimeUnit.SECONDS.toNanos(1)
            / (endNanos - seenNanos)
        : Double.NaN;
  }
}
