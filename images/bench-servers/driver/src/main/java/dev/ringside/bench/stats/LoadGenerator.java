package dev.ringside.bench.stats;

/**
 * Holds the load generator's state during a measurement.
 *
 * @param busy share of one core that it used
 * @param waiting share of the window in which its thread was runnable without a core, 0 to 1; NaN
 *     if the kernel does not report it
 * @param lateP99Micros 99th percentile of its delay in sending requests that were due; NaN in a
 *     closed loop
 */
public record LoadGenerator(double busy, double waiting, double lateP99Micros) {
  static final LoadGenerator NONE = new LoadGenerator(Double.NaN, Double.NaN, Double.NaN);

  /** From this share on, the load generator may limit the throughput. */
  private static final double BUSY_LIMIT = 0.95;

  /** Largest share of a response time that may be the load generator's delay. */
  private static final double LATE_LIMIT = 0.5;

  /**
   * Reports whether the load generator may have been the limit. In an open loop it polls for due
   * requests and is always busy, so its delay is compared instead.
   */
  boolean bound(Throughput throughput, Times times) {
    return Double.isNaN(throughput.targetRate())
        ? busy >= BUSY_LIMIT
        : lateP99Micros >= LATE_LIMIT * times.p99();
  }
}
