package dev.ringside.bench.stats;

import java.io.PrintWriter;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** Rows and summaries as text. */
public final class Report {
  private static final String ROW_HEADER =
      "round,server,handler,connections,depth,load,status,class,requests,ops_per_s,p50_us,p99_us,p999_us,max_us,"
          + "quick_p50_us,quick_p99_us,quick_p999_us,cpu_us_per_request,allocated_bytes_per_request,"
          + "allocated_bytes_per_request_beyond_processor,syscalls_per_request,client_busy,client_bound,target_ops_per_s,send_late_p99_us";
  private static final String SUMMARY_HEADER =
      "handler,connections,depth,load,server,metric,rounds,mean,best_peer,ratio_to_best_peer,"
          + "ratio_to_best_peer_low95,ratio_to_best_peer_high95,best_pooled_peer,ratio_to_best_pooled_peer,"
          + "ratio_to_best_pooled_peer_low95,ratio_to_best_pooled_peer_high95,ratio_to_floor,ratio_to_floor_low95,ratio_to_floor_high95,"
          + "ratio_to_reference,ratio_to_reference_low95,ratio_to_reference_high95";
  private static final String TABLE =
      "%-33s %10s %20s %20s %20s %20s %9s %9s %9s %9s %8s %8s %8s %7s  %s%n";

  private Report() {}

  /** The header of the rows' CSV. */
  public static String rowHeader() {
    return ROW_HEADER;
  }

  /** A row as CSV. */
  public static String csv(Row row) {
    StringJoiner line = new StringJoiner(",");
    line.add(Integer.toString(row.round())).add(row.server()).add(row.cell().replace('/', ','));
    line.add(row.ok() ? "ok" : quoted("failed: " + row.fault()));
    line.add(row.serverClass()).add(Long.toString(row.requests()));
    for (double figure :
        new double[] {
          row.rate(),
          row.p50Micros(),
          row.p99Micros(),
          row.p999Micros(),
          row.maxMicros(),
          row.quickP50Micros(),
          row.quickP99Micros(),
          row.quickP999Micros(),
          row.cpuMicros(),
          row.allocated(),
          row.allocatedBeyondProcessor(),
          row.syscalls(),
          row.clientBusy()
        }) {
      line.add(number(figure));
    }
    line.add(Boolean.toString(row.clientBound()));
    return line.add(number(row.targetRate())).add(number(row.lateP99Micros())).toString();
  }

  /** All summaries as CSV. */
  public static void summaryCsv(List<Summary.Line> lines, PrintWriter out) {
    out.println(SUMMARY_HEADER);
    for (Summary.Line line : lines) {
      StringJoiner csv = new StringJoiner(",");
      csv.add(line.cell().replace('/', ',')).add(line.server()).add(line.metric().column());
      csv.add(Integer.toString(line.n())).add(number(line.mean()));
      csv.add(line.bestPeer()).add(ratioCsv(line.toBestPeer()));
      csv.add(line.bestPooledPeer()).add(ratioCsv(line.toBestPooledPeer()));
      csv.add(ratioCsv(line.toFloor())).add(ratioCsv(line.toReference()));
      out.println(csv);
    }
  }

  /**
   * One table per cell, the best throughput first.
   *
   * @param rows for what the table says about the load generator and about failures
   */
  public static void table(List<Summary.Line> lines, Collection<Row> rows, PrintWriter out) {
    Map<String, Map<String, Map<Metric, Summary.Line>>> cells = new LinkedHashMap<>();
    for (Summary.Line line : lines) {
      cells
          .computeIfAbsent(line.cell(), cell -> new LinkedHashMap<>())
          .computeIfAbsent(line.server(), server -> new EnumMap<>(Metric.class))
          .put(line.metric(), line);
    }
    cells.forEach(
        (cell, servers) -> {
          out.printf("%nhandler/connections/depth/load: %s%n", cell);
          out.printf(
              TABLE,
              "server",
              "ops/s",
              "x best peer [95%]",
              "x best pooled [95%]",
              "x floor [95%]",
              "x reference [95%]",
              "p50 us",
              "p99 us",
              "p99.9 us",
              "quick p99",
              "cpu us",
              "alloc B",
              "syscalls",
              "client",
              "");
          servers.entrySet().stream()
              .sorted(
                  (a, b) ->
                      Double.compare(
                          b.getValue().get(Metric.RATE).mean(),
                          a.getValue().get(Metric.RATE).mean()))
              .forEach(entry -> tableLine(cell, entry.getKey(), entry.getValue(), rows, out));
        });
    boolean first = true;
    for (Row row : rows) {
      if (!row.ok()) {
        if (first) {
          out.printf("%nfailed:%n");
          first = false;
        }
        out.printf("  round %d %s %s: %s%n", row.round(), row.cell(), row.server(), row.fault());
      }
    }
  }

  private static void tableLine(
      String cell,
      String server,
      Map<Metric, Summary.Line> of,
      Collection<Row> rows,
      PrintWriter out) {
    List<Row> measured =
        rows.stream()
            .filter(row -> row.ok() && row.cell().equals(cell) && row.server().equals(server))
            .toList();
    double busy = measured.stream().mapToDouble(Row::clientBusy).max().orElse(Double.NaN);
    Summary.Line rate = of.get(Metric.RATE);
    out.printf(
        TABLE,
        server,
        whole(rate.mean()),
        ratio(rate.toBestPeer()),
        ratio(rate.toBestPooledPeer()),
        ratio(rate.toFloor()),
        ratio(rate.toReference()),
        short1(of.get(Metric.P50).mean()),
        short1(of.get(Metric.P99).mean()),
        short1(of.get(Metric.P999).mean()),
        short1(of.get(Metric.QUICK_P99).mean()),
        short1(of.get(Metric.CPU).mean()),
        whole(of.get(Metric.ALLOCATED).mean()),
        short1(of.get(Metric.SYSCALLS).mean()),
        Double.isNaN(busy) ? "" : String.format(Locale.ROOT, "%.0f%%", 100 * busy),
        measured.stream().anyMatch(Row::clientBound) ? "client-bound" : "");
  }

  private static String ratio(Ratio ratio) {
    if (Double.isNaN(ratio.mean())) {
      return "-";
    }
    return Double.isNaN(ratio.low())
        ? String.format(Locale.ROOT, "%.2f", ratio.mean())
        : String.format(Locale.ROOT, "%.2f [%.2f, %.2f]", ratio.mean(), ratio.low(), ratio.high());
  }

  private static String ratioCsv(Ratio ratio) {
    return number(ratio.mean()) + "," + number(ratio.low()) + "," + number(ratio.high());
  }

  private static String number(double value) {
    return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%.3f", value);
  }

  private static String whole(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.0f", value);
  }

  private static String short1(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.1f", value);
  }

  private static String quoted(String text) {
    return '"' + text.replace("\"", "\"\"").replace('\n', ' ') + '"';
  }
}
