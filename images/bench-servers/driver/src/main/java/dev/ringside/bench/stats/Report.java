package dev.ringside.bench.stats;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.ToDoubleFunction;

/** Formats rows and summaries as text. */
public final class Report {
  private static final String SUMMARY_HEADER =
      "handler,connections,depth,load,server,metric,rounds,mean,best_peer,ratio_to_best_peer,"
          + "ratio_to_best_peer_low95,ratio_to_best_peer_high95,best_pooled_peer,ratio_to_best_pooled_peer,"
          + "ratio_to_best_pooled_peer_low95,ratio_to_best_pooled_peer_high95,ratio_to_floor,ratio_to_floor_low95,ratio_to_floor_high95,"
          + "ratio_to_reference,ratio_to_reference_low95,ratio_to_reference_high95,merged,merged_low95,merged_high95";
  private static final String TABLE =
      "%-33s %10s %10s %20s %20s %20s %20s %9s %26s %26s %26s %8s %8s %8s %7s  %s%n";

  private static final String AT_REST = "%-33s %11s %13s %10s%n";

  private Report() {}

  /** Writes all summaries as CSV. */
  public static void summaryCsv(List<Summary.Line> lines, PrintWriter out) {
    out.println(SUMMARY_HEADER);
    for (Summary.Line line : lines) {
      StringJoiner csv = new StringJoiner(",");
      csv.add(line.cell().replace('/', ',')).add(line.server()).add(line.metric().column());
      csv.add(Integer.toString(line.n())).add(Column.number(line.mean()));
      csv.add(line.bestPeer()).add(ratioCsv(line.toBestPeer()));
      csv.add(line.bestPooledPeer()).add(ratioCsv(line.toBestPooledPeer()));
      csv.add(ratioCsv(line.toFloor())).add(ratioCsv(line.toReference()));
      Merged merged = line.merged();
      csv.add(Column.number(merged.micros()));
      csv.add(Column.number(merged.low())).add(Column.number(merged.high()));
      out.println(csv);
    }
  }

  /**
   * Writes one table per cell, with the best throughput first.
   *
   * @param rows for the load generator's state and failures
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
              "since turn",
              "x best peer [95%]",
              "x best pooled [95%]",
              "x floor [95%]",
              "x reference [95%]",
              "p50 us",
              "p99 us [95%]",
              "p99.9 us [95%]",
              "quick p99 [95%]",
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
        Measured measured = row.measured();
        out.printf(
            "  round %d %s %s: %s%n",
            measured.round(), measured.cell(), measured.server(), row.fault());
      }
    }
  }

  /** Writes a table of servers at rest, the medians of the rounds; nothing if none was measured. */
  public static void atRest(Collection<AtRest> measured, PrintWriter out) {
    if (measured.isEmpty()) {
      return;
    }
    Map<String, List<AtRest>> servers = new LinkedHashMap<>();
    for (AtRest one : measured) {
      servers.computeIfAbsent(one.server(), server -> new ArrayList<>()).add(one);
    }
    out.printf("%nat rest, connections open and nothing sent:%n");
    out.printf(AT_REST, "server", "connections", "cpu of a core", "wake-ups/s");
    servers.forEach(
        (server, rounds) ->
            out.printf(
                AT_REST,
                server,
                rounds.get(0).connections(),
                String.format(Locale.ROOT, "%.2f%%", 100 * median(rounds, AtRest::cpu)),
                short1(median(rounds, AtRest::wakeupsPerSecond))));
  }

  private static double median(List<AtRest> rounds, ToDoubleFunction<AtRest> figure) {
    double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  private static void tableLine(
      String cell,
      String server,
      Map<Metric, Summary.Line> of,
      Collection<Row> rows,
      PrintWriter out) {
    List<Row> measured =
        rows.stream()
            .filter(
                row ->
                    row.ok()
                        && row.measured().cell().equals(cell)
                        && row.measured().server().equals(server))
            .toList();
    double busy =
        measured.stream().mapToDouble(Column.CLIENT_BUSY::figure).max().orElse(Double.NaN);
    Summary.Line rate = of.get(Metric.RATE);
    out.printf(
        TABLE,
        server,
        whole(rate.mean()),
        whole(of.get(Metric.TURNED_RATE).mean()),
        ratio(rate.toBestPeer()),
        ratio(rate.toBestPooledPeer()),
        ratio(rate.toFloor()),
        ratio(rate.toReference()),
        short1(of.get(Metric.P50).merged().micros()),
        merged(of.get(Metric.P99).merged()),
        merged(of.get(Metric.P999).merged()),
        merged(of.get(Metric.QUICK_P99).merged()),
        short1(of.get(Metric.CPU).mean()),
        whole(of.get(Metric.ALLOCATED).mean()),
        short1(of.get(Metric.SYSCALLS).mean()),
        Double.isNaN(busy) ? "" : String.format(Locale.ROOT, "%.0f%%", 100 * busy),
        measured.stream().anyMatch(Row::clientBound) ? "client-bound" : "");
  }

  private static String ratio(Ratio ratio) {
    if (Double.isNaN(ratio.median())) {
      return "-";
    }
    return Double.isNaN(ratio.low())
        ? String.format(Locale.ROOT, "%.2f", ratio.median())
        : String.format(
            Locale.ROOT, "%.2f [%.2f, %.2f]", ratio.median(), ratio.low(), ratio.high());
  }

  private static String merged(Merged merged) {
    return Double.isNaN(merged.low())
        ? short1(merged.micros())
        : String.format(
            Locale.ROOT, "%.1f [%.1f, %.1f]", merged.micros(), merged.low(), merged.high());
  }

  private static String ratioCsv(Ratio ratio) {
    return Column.number(ratio.median())
        + ","
        + Column.number(ratio.low())
        + ","
        + Column.number(ratio.high());
  }

  private static String whole(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.0f", value);
  }

  private static String short1(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.1f", value);
  }
}
