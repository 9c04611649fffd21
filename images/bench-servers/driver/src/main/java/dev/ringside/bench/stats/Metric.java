package dev.ringside.bench.stats;

import java.util.function.ToDoubleFunction;

/** The figures of a measurement, by the names of their CSV columns. */
public enum Metric {
  /** Requests per second. */
  RATE("ops_per_s", true, Row::rate),
  /** Median service time. */
  P50("p50_us", false, Row::p50Micros),
  /** 99th percentile of service times. */
  P99("p99_us", false, Row::p99Micros),
  /** 99.9th percentile of service times. */
  P999("p999_us", false, Row::p999Micros),
  /** 99th percentile of the requests whose handler answered at once. */
  QUICK_P99("quick_p99_us", false, Row::quickP99Micros),
  /** CPU time of the server's process. */
  CPU("cpu_us_per_request", false, Row::cpuMicros),
  /** Bytes that the server's threads allocated beyond what the processor itself allocates. */
  ALLOCATED("allocated_bytes_per_request_beyond_processor", false, Row::allocatedBeyondProcessor),
  /** System calls of the server's process. */
  SYSCALLS("syscalls_per_request", false, Row::syscalls);

  private final String column;
  private final boolean higherIsBetter;
  private final ToDoubleFunction<Row> value;

  Metric(String column, boolean higherIsBetter, ToDoubleFunction<Row> value) {
    this.column = column;
    this.higherIsBetter = higherIsBetter;
    this.value = value;
  }

  /** The name of its column. */
  public String column() {
    return column;
  }

  /** The row's figure; NaN if it has none. */
  public double of(Row row) {
    return value.applyAsDouble(row);
  }

  /** Whether {@code a} is better than {@code b}. */
  public boolean better(double a, double b) {
    return higherIsBetter ? a > b : a < b;
  }
}
