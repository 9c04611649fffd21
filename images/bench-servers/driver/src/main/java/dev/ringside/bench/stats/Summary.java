package dev.ringside.bench.stats;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Compares the servers of a cell by each metric. Has no side effects. */
public final class Summary {
  /**
   * Holds one server's figure in one cell.
   *
   * @param mean geometric mean over the rounds
   * @param bestPeer the peer with the best figure; empty if no peer has one
   * @param toBestPeer ratio to that peer
   * @param bestPooledPeer the best of the peers that run requests on the given number of workers
   * @param toBestPooledPeer ratio to that peer
   * @param toFloor ratio to the floor
   * @param toReference ratio to the reference
   * @param merged for a percentile, that of all rounds' requests together
   */
  public record Line(
      String cell,
      String server,
      Metric metric,
      int n,
      double mean,
      String bestPeer,
      Ratio toBestPeer,
      String bestPooledPeer,
      Ratio toBestPooledPeer,
      Ratio toFloor,
      Ratio toReference,
      Merged merged) {}

  private Summary() {}

  /**
   * Returns every metric of every server in every cell, in the order of the rows.
   *
   * @param reference name of the server that all are compared with; empty for none
   */
  public static List<Line> of(
      Collection<Row> rows,
      int rounds,
      Predicate<String> isPeer,
      Predicate<String> isPooledPeer,
      Predicate<String> isFloor,
      String reference) {
    Map<String, Map<String, List<Row>>> cells = new LinkedHashMap<>();
    for (Row row : rows) {
      if (row.ok()) {
        cells
            .computeIfAbsent(row.measured().cell(), cell -> new LinkedHashMap<>())
            .computeIfAbsent(row.measured().server(), server -> new ArrayList<>())
            .add(row);
      }
    }
    List<Line> lines = new ArrayList<>();
    cells.forEach(
        (cell, servers) -> {
          for (Metric metric : Metric.values()) {
            Map<String, double[]> figures = new LinkedHashMap<>();
            servers.forEach((server, of) -> figures.put(server, byRound(of, metric, rounds)));
            compare(
                cell, metric, figures, servers, isPeer, isPooledPeer, isFloor, reference, lines);
          }
        });
    return lines;
  }

  private static void compare(
      String cell,
      Metric metric,
      Map<String, double[]> figures,
      Map<String, List<Row>> rows,
      Predicate<String> isPeer,
      Predicate<String> isPooledPeer,
      Predicate<String> isFloor,
      String reference,
      List<Line> lines) {
    String best = best(metric, figures, isPeer);
    String pooled = best(metric, figures, isPooledPeer);
    String floor = best(metric, figures, isFloor);
    figures.forEach(
        (server, values) ->
            lines.add(
                new Line(
                    cell,
                    server,
                    metric,
                    count(values),
                    mean(values),
                    best,
                    ratio(values, figures.get(best)),
                    pooled,
                    ratio(values, figures.get(pooled)),
                    ratio(values, figures.get(floor)),
                    server.equals(reference) ? Ratio.NONE : ratio(values, figures.get(reference)),
                    metric.merged(rows.get(server)))));
  }

  /** Returns the candidate with the best mean, or empty if none has a figure above zero. */
  private static String best(
      Metric metric, Map<String, double[]> figures, Predicate<String> candidate) {
    String best = "";
    for (String server : figures.keySet()) {
      double mean = mean(figures.get(server));
      if (candidate.test(server)
          && mean > 0
          && (best.isEmpty() || metric.better(mean, mean(figures.get(best))))) {
        best = server;
      }
    }
    return best;
  }

  private static Ratio ratio(double[] values, double[] to) {
    return to == null ? Ratio.NONE : Ratio.of(values, to);
  }

  private static double[] byRound(List<Row> rows, Metric metric, int rounds) {
    double[] values = new double[rounds];
    java.util.Arrays.fill(values, Double.NaN);
    for (Row row : rows) {
      values[row.measured().round() - 1] = metric.of(row);
    }
    return values;
  }

  private static int count(double[] values) {
    int n = 0;
    for (double value : values) {
      n += Double.isNaN(value) ? 0 : 1;
    }
    return n;
  }

  /**
   * Returns the geometric mean of the available figures, or the arithmetic one if some are not
   * above zero.
   */
  private static double mean(double[] values) {
    int n = 0;
    double logs = 0;
    double sum = 0;
    for (double value : values) {
      if (!Double.isNaN(value)) {
        n++;
        logs += Math.log(value);
        sum += value;
      }
    }
    if (n == 0) {
      return Double.NaN;
    }
    return Double.isFinite(logs) ? Math.exp(logs / n) : sum / n;
  }
}
