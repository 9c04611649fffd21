package dev.ringside.bench.stats;

/**
 * One measurement of one server in one cell.
 *
 * @param server name of the server
 * @param cell name of the cell, and after it that of the load
 * @param fault why there are no figures; null if there are
 * @param rate requests per second
 * @param allocatedBeyondProcessor bytes per request; NaN if the processor's own are unknown
 * @param syscalls per request; NaN where they were not counted
 * @param clientBusy share of one core that the load generator used
 * @param targetRate requests per second that were due; NaN in a closed loop
 * @param lateP99Micros how late the load generator itself was to send them; NaN in a closed loop
 */
public record Row(
    int round,
    String server,
    String cell,
    String serverClass,
    String fault,
    long requests,
    double rate,
    double p50Micros,
    double p99Micros,
    double p999Micros,
    double maxMicros,
    double quickP50Micros,
    double quickP99Micros,
    double quickP999Micros,
    double cpuMicros,
    double allocated,
    double allocatedBeyondProcessor,
    double syscalls,
    double clientBusy,
    double targetRate,
    double lateP99Micros) {

  /** From here on the load generator may be what limits the throughput. */
  private static final double CLIENT_LIMIT = 0.95;

  /** Share of a response time that may be the load generator's own. */
  private static final double LATE_LIMIT = 0.5;

  /** A measurement that could not be taken. */
  public static Row failed(int round, String server, String cell, String fault) {
    double no = Double.NaN;
    return new Row(
        round, server, cell, "", fault, 0, no, no, no, no, no, no, no, no, no, no, no, no, no, no,
        no);
  }

  /** Whether it has figures. */
  public boolean ok() {
    return fault == null;
  }

  /**
   * Whether the load generator may have been the limit. In an open loop, where it polls for what is
   * due next, it always is busy: what counts there is how late it was.
   */
  public boolean clientBound() {
    return Double.isNaN(targetRate)
        ? clientBusy >= CLIENT_LIMIT
        : lateP99Micros >= LATE_LIMIT * p99Micros;
  }
}
