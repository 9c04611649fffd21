package dev.ringside.load;

import java.util.concurrent.TimeUnit;

/**
 * The due times of operations over all connections to a server. At a constant rate they are equally
 * spaced, as in wrk2: a late answer does not delay the due time of the next operation, and response
 * times count from the due time. All methods are pure functions.
 */
final class Pace {
  private final double periodNanos;
  private final double firstNanos;

  /** Creates the pace of the only side, for single operations. */
  Pace(int rate) {
    this(rate, 1, 0, 1);
  }

  /**
   * Creates the pace of one of several sides, which take turns.
   *
   * @param rate operations per second over all sides; 0 for a closed loop
   * @param batch operations that are due together
   */
  Pace(int rate, int batch, int side, int sides) {
    periodNanos = rate == 0 ? 0 : (double) TimeUnit.SECONDS.toNanos(1) * batch * sides / rate;
    firstNanos = periodNanos * (side + 0.5) / sides;
  }

  /** Reports whether operations have due times. */
  boolean scheduled() {
    return periodNanos > 0;
  }

  /**
   * Returns the time from the start until a batch is due, in nanoseconds.
   *
   * @param number number of the batch, from 0
   */
  long due(long number) {
    return Math.round(firstNanos + number * periodNanos);
  }
}
