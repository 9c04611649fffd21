package dev.ringside.bench.client;

import java.util.concurrent.TimeUnit;

/** When in a window calls turn slow, and what was answered from then on. One thread. */
final class Turn {
  /** A window in which nothing turns. */
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

  /** At half of that window, or never. */
  static Turn of(boolean comes, long startNanos, long endNanos) {
    return comes ? new Turn(startNanos + (endNanos - startNanos) / 2, true) : NEVER;
  }

  /** Whether it was before then. */
  boolean isOver(long nanos) {
    return comes && nanos - atNanos >= 0;
  }

  /** Told before replies are counted that come at that time. */
  void look(long nanos, long answered) {
    if (!seen && isOver(nanos)) {
      seen = true;
      seenNanos = nanos;
      answeredBefore = answered;
    }
  }

  /** Requests answered per second since the turn; NaN if there was none. */
  double perSecond(long answered, long endNanos) {
    return seen && endNanos - seenNanos > 0
        ? (answered - answeredBefore)
            * (double) TimeUnit.SECONDS.toNanos(1)
            / (endNanos - seenNanos)
        : Double.NaN;
  }
}
