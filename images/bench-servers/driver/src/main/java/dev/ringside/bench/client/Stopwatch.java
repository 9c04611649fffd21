package dev.ringside.bench.client;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * What the current thread had used when a window began. Some system calls, at its begin and end.
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

  /** The window ends now, after so many answers. */
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
   * What there was when a window ended; replies to what was under way come later.
   *
   * @param turnedRate requests answered per second since the turn; NaN if there was none
   */
  record InTime(
      long answered, long elapsedNanos, long cpuNanos, double waitedNanos, double turnedRate) {}
}
