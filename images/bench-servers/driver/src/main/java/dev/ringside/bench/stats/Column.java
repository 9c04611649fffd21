package dev.ringside.bench.stats;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Defines the columns of the rows' CSV in their order: name and value. */
public enum Column {
  ROUND("round", Value.text(row -> Integer.toString(row.measured().round()))),
  SERVER("server", Value.text(row -> row.measured().server())),
  HANDLER("handler", Value.text(row -> row.measured().part(0))),
  CONNECTIONS("connections", Value.text(row -> row.measured().part(1))),
  DEPTH("depth", Value.text(row -> row.measured().part(2))),
  LOAD("load", Value.text(row -> row.measured().part(3))),
  STATUS("status", Value.text(row -> row.ok() ? "ok" : quoted("failed: " + row.fault()))),
  CLASS("class", Value.text(row -> row.ran().serverClass())),
  REQUESTS("requests", Value.text(row -> Long.toString(row.throughput().requests()))),
  RATE("ops_per_s", Value.figure(row -> row.throughput().rate())),
  P50("p50_us", Value.figure(row -> row.all().p50())),
  P99("p99_us", Value.figure(row -> row.all().p99())),
  P999("p999_us", Value.figure(row -> row.all().p999())),
  MAX("max_us", Value.figure(row -> row.all().max())),
  QUICK_P50("quick_p50_us", Value.figure(row -> row.quick().p50())),
  QUICK_P99("quick_p99_us", Value.figure(row -> row.quick().p99())),
  QUICK_P999("quick_p999_us", Value.figure(row -> row.quick().p999())),
  CPU("cpu_us_per_request", Value.figure(row -> row.cost().cpuMicros())),
  ALLOCATED("allocated_bytes_per_request", Value.figure(row -> row.cost().allocated())),
  ALLOCATED_BEYOND_PROCESSOR(
      "allocated_bytes_per_request_beyond_processor",
      Value.figure(row -> row.cost().allocatedBeyondProcessor())),
  SYSCALLS("syscalls_per_request", Value.figure(row -> row.cost().syscalls())),
  CLIENT_BUSY("client_busy", Value.figure(row -> row.client().busy())),
  CLIENT_BOUND("client_bound", Value.text(row -> Boolean.toString(row.clientBound()))),
  TARGET_RATE("target_ops_per_s", Value.figure(row -> row.throughput().targetRate())),
  SEND_LATE_P99("send_late_p99_us", Value.figure(row -> row.client().lateP99Micros())),
  TURNED_RATE("turned_ops_per_s", Value.figure(row -> row.throughput().turnedRate())),
  THREADS("threads", Value.figure(row -> row.ran().threads())),
  CLIENT_WAIT("client_wait", Value.figure(row -> row.client().waiting())),
  STEAL("steal", Value.figure(row -> row.ran().steal())),
  COMMIT("commit", Value.text(row -> row.ran().build().commit())),
  CLASS_PATH("class_path_sha256", Value.text(row -> row.ran().build().classPathDigest())),
  WORKERS("workers", Value.text(row -> row.ran().workers()));

  /** Holds a column's value of a row: text, or a figure, which is empty if it is NaN. */
  private record Value(Function<Row, String> text, ToDoubleFunction<Row> figure) {
    static Value text(Function<Row, String> text) {
      return new Value(text, row -> Double.NaN);
    }

    static Value figure(ToDoubleFunction<Row> figure) {
      return new Value(row -> number(figure.applyAsDouble(row)), figure);
    }
  }

  private final String id;
  private final Value value;

  Column(String id, Value value) {
    this.id = id;
    this.value = value;
  }

  /** Returns the column's name. */
  public String id() {
    return id;
  }

  /** Returns the row's figure, or NaN if it has none. */
  public double figure(Row row) {
    return value.figure().applyAsDouble(row);
  }

  /** Returns all names as a line of CSV. */
  public static String header() {
    return Arrays.stream(values()).map(Column::id).collect(Collectors.joining(","));
  }

  /** Returns a row as a line of CSV. */
  public static String line(Row row) {
    return Arrays.stream(values())
        .map(column -> column.value.text().apply(row))
        .collect(Collectors.joining(","));
  }

  /** Formats a figure as in all CSV files. */
  static String number(double value) {
    return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%.3f", value);
  }

  private static String quoted(String text) {
    return '"' + text.replace("\"", "\"\"").replace('\n', ' ') + '"';
  }
}
