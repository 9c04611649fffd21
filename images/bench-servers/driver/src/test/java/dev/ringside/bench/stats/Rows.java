package dev.ringside.bench.stats;

/** Creates rows for tests, in the cell {@link #CELL}. */
final class Rows {
  static final String CELL = "at-once/1/1/closed";

  private Rows() {}

  static Row of(int round, String server, double rate, double p99) {
    return of(
        new Measured(round, server, CELL),
        new Throughput(1000, rate, Double.NaN, Double.NaN),
        p99,
        new LoadGenerator(0.5, 0.25, Double.NaN));
  }

  static Row of(Measured measured, Throughput throughput, double p99, LoadGenerator client) {
    return new Row(
        measured,
        null,
        new Ran("Class", new Build("abc", "def"), "16", 19, 0),
        throughput,
        Times.of(Math.round(p99 * 1000)),
        Times.of(2000),
        new Cost(4, 5, 6, Double.NaN),
        client);
  }
}
