package dev.ringside.bench.stats;

import java.util.List;
import java.util.function.Function;

/** Lists the metrics of a measurement by their CSV columns. */
public enum Metric {
  /** Requests per second. */
  RATE(Column.RATE, true),
  /** Requests per second since the handlers of the cell turned slow. */
  TURNED_RATE(Column.TURNED_RATE, true),
  /** Median service time. */
  P50(Column.P50, Row::all, 0.5),
  /** 99th percentile of service times. */
  P99(Column.P99, Row::all, 0.99),
  /** 99.9th percentile of service times. */
  P999(Column.P999, Row::all, 0.999),
  /** 99th percentile of the requests whose handler answered at once. */
  QUICK_P99(Column.QUICK_P99, Row::quick, 0.99),
  /** CPU time of the server's process. */
  CPU(Column.CPU, false),
  /** Bytes that the server's threads allocated in addition to those of the processor itself. */
  ALLOCATED(Column.ALLOCATED_BEYOND_PROCESSOR, false),
  /** System calls of the server's process. */
  SYSCALLS(Column.SYSCALLS, false);

  private final Column column;
  private final boolean higherIsBetter;
  private final Function<Row, Times> times;
  private final double quantile;

  Metric(Column column, boolean higherIsBetter) {
    this(column, higherIsBetter, row -> Times.NONE, Double.NaN);
  }

  /** Creates a quantile of times, which can be merged over all rounds. */
  Metric(Column column, Function<Row, Times> times, double quantile) {
    this(column, false, times, quantile);
  }

  Metric(Column column, boolean higherIsBetter, Function<Row, Times> times, double quantile) {
    this.column = column;
    this.higherIsBetter = higherIsBetter;
    this.times = times;
    this.quantile = quantile;
  }

  /** Returns the name of the column. */
  public String column() {
    return column.id();
  }

  /** Returns the row's figure, or NaN if it has none. */
  public double of(Row row) {
    return column.figure(row);
  }

  /**
   * Returns the same quantile of all these rows' requests together, or none if the metric is not a
   * quantile.
   */
  public Merged merged(List<Row> rows) {
    return Double.isNaN(quantile)
        ? Merged.NONE
        : Merged.of(rows.stream().map(times).toList(), quantile);
  }

  /** Reports whether {@code a} is better than {@code b}. */
  public boolean better(double a, double b) {
    return higherIsBetter ? a > b : a < b;
  }
}
