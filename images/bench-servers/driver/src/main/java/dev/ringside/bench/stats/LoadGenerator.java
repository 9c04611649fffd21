package dev.ringside.bench.stats;

/**
 * What the load generator was like meanwhile.
 *
 * @param busy share of one core that it used
 * @param waiting share of the window in which its thread could have run and had no core, 0 to 1;
 *     NaN where the kernel does not tell
 * @param lateP99Micros how late it was to send what was due; NaN in a closed loop
 */
public record LoadGenerator(double busy, double waiting, double lateP99Micros) {
  static final LoadGenerator NONE = new LoadGenerator(Double.NaN, Double.NaN, Double.NaN);

  /** From here on the load generator may be what limits the throughput. */
  private static final double BUSY_LIMIT = 0.95;

  /** Share of a response time that may be the load generator's own. */
  private static final double LATE_LIMIT = 0.5;

  /**
   * Whether it may have been the limit. In an open loop, where it polls for what is due next, it
   * always is busy: what counts there is how late it was.
   */
  boolean bound(Throughput throughput, Times times) {
    return Double.isNaN(throughput.targetRate())
        ? busy >= BUSY_LIMIT
        : lateP99Micros >= LATE_LIMIT * times.p99();
  }
}
