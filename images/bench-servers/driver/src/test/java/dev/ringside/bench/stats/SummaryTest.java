package dev.ringside.bench.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class SummaryTest {
  private final List<Row> rows =
      List.of(
          Rows.of(1, "floor", 400, 10),
          Rows.of(1, "ours", 300, 20),
          Rows.of(1, "fast", 200, 40),
          Rows.of(1, "smooth", 100, 30),
          Row.failed(new Measured(1, "broken", Rows.CELL), "no reply"),
          Rows.of(2, "floor", 400, 10),
          Rows.of(2, "ours", 300, 20),
          Rows.of(2, "fast", 200, 40),
          Rows.of(2, "smooth", 100, 30));

  @Test
  void shouldFindTheBestPeerOfEachMetric() {
    Summary.Line rate = line("ours", Metric.RATE);
    assertEquals("fast", rate.bestPeer());
    assertEquals(1.5, rate.toBestPeer().median(), 1e-9);
    assertEquals(0.75, rate.toFloor().median(), 1e-9);
    assertEquals(3, rate.toReference().median(), 1e-9);
    assertEquals("smooth", rate.bestPooledPeer());
    assertEquals(3, rate.toBestPooledPeer().median(), 1e-9);
    Summary.Line tail = line("ours", Metric.P99);
    assertEquals("smooth", tail.bestPeer());
    assertEquals(2.0 / 3, tail.toBestPeer().median(), 1e-9);
  }

  @Test
  void shouldCompareTheReferenceWithOthersOnly() {
    assertEquals(Ratio.NONE, line("smooth", Metric.RATE).toReference());
  }

  @Test
  void shouldHaveAsManySummaryValuesAsColumns() {
    StringWriter text = new StringWriter();
    Report.summaryCsv(summary(), new PrintWriter(text, true));
    List<String> lines = text.toString().lines().toList();
    int columns = lines.get(0).split(",").length;
    assertEquals(1 + summary().size(), lines.size());
    lines.forEach(line -> assertEquals(columns, line.split(",", -1).length, line));
  }

  @Test
  void shouldHaveNoFigureForAServerThatFailed() {
    assertFalse(summary().stream().anyMatch(line -> line.server().equals("broken")));
    StringWriter text = new StringWriter();
    Report.table(summary(), rows, new PrintWriter(text, true));
    assertEquals(
        "  round 1 at-once/1/1/closed broken: no reply",
        text.toString().stripTrailing().lines().reduce((a, b) -> b).orElseThrow());
  }

  private List<Summary.Line> summary() {
    return Summary.of(
        rows,
        2,
        server -> !List.of("floor", "ours").contains(server),
        "smooth"::equals,
        "floor"::equals,
        "smooth");
  }

  private Summary.Line line(String server, Metric metric) {
    return summary().stream()
        .filter(line -> line.server().equals(server) && line.metric() == metric)
        .findFirst()
        .orElseThrow();
  }
}
