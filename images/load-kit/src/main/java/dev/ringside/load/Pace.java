package dev.ringside.load;

import java.util.concurrent.TimeUnit;

/**
 * When the operations of one thread are due. At a constant rate, threads take turns at equal
 * distances, whatever becomes of their operations, as in wrk2: one that is answered late does not
 * put off the next, whose response time counts from when it was due.
 */
final class Pace {
  private final double periodNanos;
  private final double firstNanos;

  /** Of one of the threads, for single operations. */
  Pace(int rate, int thread, int threads) {
    this(rate, thread, threads, 1);
  }

  /**
   * Of one of the threads.
   *
   * @param rate operations per second over all threads; 0 for a closed loop
   * @param batch operations that are due together
   */
  Pace(int rate, int thread, int threads, int batch) {
    periodNanos = rate == 0 ? 0 : (double) TimeUnit.SECONDS.toNanos(1) * batch * threads / rate;
    firstNanos = periodNanos * (thread + 0.5) / threads;
  }

  /** Whether there is a schedule. */
  boolean scheduled() {
    return periodNanos > 0;
  }

  /** Nanoseconds from the start until the thread's batch of that number, from 0, is due. */
  long due(long number) {
    return Math.round(firstNanos + number * periodNanos);
  }
}
