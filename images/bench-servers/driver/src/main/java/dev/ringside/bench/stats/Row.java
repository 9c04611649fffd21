package dev.ringside.bench.stats;

/**
 * Holds one measurement of one server in one cell.
 *
 * @param fault why there are no figures, or null
 * @param all times of all requests
 * @param quick times of the requests without a delay
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

  /** Returns a measurement that failed. */
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

  /** Returns the row with system calls that were counted later. */
  public Row withSyscalls(double perRequest) {
    Cost counted =
        new Cost(cost.cpuMicros(), cost.allocated(), cost.allocatedBeyondProcessor(), perRequest);
    return new Row(measured, fault, ran, throughput, all, quick, counted, client);
  }

  /** Reports whether the row has figures. */
  public boolean ok() {
    return fault == null;
  }

  /** Reports whether the load generator may have been the limit. */
  public boolean clientBound() {
    return client.bound(throughput, all);
  }
}
