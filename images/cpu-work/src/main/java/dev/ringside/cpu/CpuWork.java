package dev.ringside.cpu;

import java.util.concurrent.TimeUnit;

/**
 * Work that uses CPU time and no memory. It has a fixed number of steps: with a loop that checks
 * the clock, any number of waiting threads could finish at the same time. Safe for any number of
 * threads.
 */
public final class CpuWork {
  private static final long CALIBRATION_STEPS = 200_000;
  private static final int CALIBRATION_RUNS = 200;

  private final long steps;

  private CpuWork(long steps) {
    this.steps = steps;
  }

  /** Returns work of that number of steps. */
  public static CpuWork ofSteps(long steps) {
    return new CpuWork(steps);
  }

  /**
   * Returns work that takes about that time on an idle core of this machine. The call itself takes
   * some 0.1 s.
   */
  public static CpuWork ofMicros(long micros) {
    return new CpuWork(stepsPerMicro() * micros);
  }

  /**
   * Returns the number of steps in one microsecond on this machine. It is the result of the fastest
   * of many runs, so that neither the compiler's warm-up nor another process makes the work too
   * short.
   */
  public static long stepsPerMicro() {
    long best = Long.MAX_VALUE;
    long sink = 0;
    for (int run = 0; run < CALIBRATION_RUNS; run++) {
      long start = System.nanoTime();
      sink ^= mix(CALIBRATION_STEPS, run);
      best = Math.min(best, System.nanoTime() - start);
    }
    long steps = CALIBRATION_STEPS * TimeUnit.MICROSECONDS.toNanos(1) / best;
    return Math.max(1, sink == 42 ? steps + 1 : steps);
  }

  /** Returns the number of steps. */
  public long steps() {
    return steps;
  }

  /**
   * Does the work.
   *
   * @return a value that depends on every step, so that the compiler cannot remove any
   */
  public long run(long seed) {
    return mix(steps, seed);
  }

  /** The xorshift generator: each step depends on the previous one. */
  private static long mix(long steps, long seed) {
    long x = seed | 1;
    for (long i = 0; i < steps; i++) {
      x ^= x << 13;
      x ^= x >>> 7;
      x ^= x << 17;
    }
    return x;
  }
}
