package dev.ringside.bench.client;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Holds the current thread's usage at the start of a window. Start and stop cost some system calls
 * each.
 *
 * @param startNanos System.nanoTime()
 * @param cpuNanos CPU time
 * @param waitedNanos see {@link RunDelay}
 */
record Stopwatch(long startNanos, long cpuNanos, double waitedNanos) {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  static Stopwatch start() {
    double waited = RunDelay.nanos();
    long cpu = THREADS.getCurrentThreadCpuTime();
    return new Stopwatch(System.nanoTime(), cpu, waited);
  }

  /** Returns the usage of a window that ends now. */
  InTime stop(long answered, Turn turn) {
    long now = System.nanoTime();
    return new InTime(
        answered,
        now - startNanos,
        THREADS.getCurrentThreadCpuTime() - cpuNanos,
        RunDelay.nanos() - waitedNanos,
        turn.perSecond(answered, now));
  }

  /**
   * Holds the usage of a window, without the replies that arrive after its end.
   *
   * @param turnedRate requests answered per second since the turn; NaN without one
   */
  record InTime(
      long answered, long elapsedNanos, long cpuNanos, double waitedNanos, double turnedRate) {}
}
