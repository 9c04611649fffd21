package dev.ringside.cpu;

import java.util.concurrent.TimeUnit;

/**
 * Work that costs CPU time and touches no memory: a fixed number of steps, because a loop that
 * watches the clock would let any number of waiting threads finish together.
 */
public final class CpuWork {
  private static final long CALIBRATION_STEPS = 200_000;
  private static final int CALIBRATION_RUNS = 200;

  private final long steps;

  private CpuWork(long steps) {
    this.steps = steps;
  }

  /** Work of that many steps. */
  public static CpuWork ofSteps(long steps) {
    return new CpuWork(steps);
  }

  /** Work that takes about that long on an idle core of this machine. Takes about 0.1 s itself. */
  public static CpuWork ofMicros(long micros) {
    return new CpuWork(stepsPerMicro() * micros);
  }

  /**
   * Steps of one microsecond on this machine, by the fastest of many tries, so that neither the
   * compiler nor another process shortens the work.
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

  /** Steps of this work. */
  public long steps() {
    return steps;
  }

  /**
   * Does the work.
   *
   * @return something that depends on every step, so that the compiler cannot leave one out
   */
  public long run(long seed) {
    return mix(steps, seed);
  }

  /** The xorshift generator: each step needs the one before. */
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
