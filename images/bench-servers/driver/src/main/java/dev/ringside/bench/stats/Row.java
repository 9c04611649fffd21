package dev.ringside.bench.stats;

/**
 * One measurement of one server in one cell.
 *
 * @param fault why there are no figures; null if there are
 * @param all times of all requests
 * @param quick times of those that were not told to wait
 */
public record Row(
    Measured measured,
    String fault,
    Ran ran,
    Throughput throughput,
    Times all,
    Times quick,
    Cost cost,
    LoadGenerator client) {

  /** A measurement that could not be taken. */
  public static Row failed(Measured measured, String fault) {
    return new Row(
        measured,
        fault,
        Ran.NOTHING,
        Throughput.NONE,
        Times.NONE,
        Times.NONE,
        Cost.NONE,
        LoadGenerator.NONE);
  }

  /** With the system calls that were counted after it. */
  public Row withSyscalls(double perRequest) {
    Cost counted =
        new Cost(cost.cpuMicros(), cost.allocated(), cost.allocatedBeyondProcessor(), perRequest);
    return new Row(measured, fault, ran, throughput, all, quick, counted, client);
  }

  /** Whether it has figures. */
  public boolean ok() {
    return fault == null;
  }

  /** Whether the load generator may have been the limit. */
  public boolean clientBound() {
    return client.bound(throughput, all);
  }
}
