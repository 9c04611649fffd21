package dev.ringside.load;

import java.util.concurrent.TimeUnit;

/**
 * When operations are due, over all connections to a server. At a constant rate they are at equal
 * distances, whatever becomes of them, as in wrk2: one that is answered late does not put off the
 * next, whose response time counts from when it was due. Pure.
 */
final class Pace {
  private final double periodNanos;
  private final double firstNanos;

  /** Of the only side, for single operations. */
  Pace(int rate) {
    this(rate, 1, 0, 1);
  }

  /**
   * Of one of the sides, which take turns.
   *
   * @param rate operations per second over all sides; 0 for a closed loop
   * @param batch operations that are due together
   */
  Pace(int rate, int batch, int side, int sides) {
    periodNanos = rate == 0 ? 0 : (double) TimeUnit.SECONDS.toNanos(1) * batch * sides / rate;
    firstNanos = periodNanos * (side + 0.5) / sides;
  }

  /** Whether there is a schedule. */
  boolean scheduled() {
    return periodNanos > 0;
  }

  /** Nanoseconds from the start until the batch of that number, from 0, is due. */
  long due(long number) {
    return Math.round(firstNanos + number * periodNanos);
  }
}
