package dev.ringside.bench.stats;

/** The figures of a measurement, by their CSV columns. */
public enum Metric {
  /** Requests per second. */
  RATE(Column.RATE, true),
  /** Requests per second since the handlers of the cell turned slow. */
  TURNED_RATE(Column.TURNED_RATE, true),
  /** Median service time. */
  P50(Column.P50, false),
  /** 99th percentile of service times. */
  P99(Column.P99, false),
  /** 99.9th percentile of service times. */
  P999(Column.P999, false),
  /** 99th percentile of the requests whose handler answered at once. */
  QUICK_P99(Column.QUICK_P99, false),
  /** CPU time of the server's process. */
  CPU(Column.CPU, false),
  /** Bytes that the server's threads allocated beyond what the processor itself allocates. */
  ALLOCATED(Column.ALLOCATED_BEYOND_PROCESSOR, false),
  /** System calls of the server's process. */
  SYSCALLS(Column.SYSCALLS, false);

  private final Column column;
  private final boolean higherIsBetter;

  Metric(Column column, boolean higherIsBetter) {
    this.column = column;
    this.higherIsBetter = higherIsBetter;
  }

  /** The name of its column. */
  public String column() {
    return column.id();
  }

  /** The row's figure; NaN if it has none. */
  public double of(Row row) {
    return column.figure(row);
  }

  /** Whether {@code a} is better than {@code b}. */
  public boolean better(double a, double b) {
    return higherIsBetter ? a > b : a < b;
  }
}
