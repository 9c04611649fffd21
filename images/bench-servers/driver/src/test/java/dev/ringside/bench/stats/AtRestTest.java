package dev.ringside.bench.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class AtRestTest {
  @Test
  void shouldBeALineOfItsColumns() {
    assertEquals("round,server,connections,cpu,wakeups_per_s", AtRest.header());
    assertEquals("2,ours,64,0.000123,20.500", new AtRest(2, "ours", 64, 0.000123, 20.5).line());
  }

  @Test
  void shouldReportTheMediansOfTheRounds() {
    StringWriter text = new StringWriter();
    Report.atRest(
        List.of(
            new AtRest(1, "ours", 64, 0.001, 20),
            new AtRest(1, "simple", 1, 0.5, 7),
            new AtRest(2, "ours", 64, 0.003, 100),
            new AtRest(3, "ours", 64, 0.002, 22)),
        new PrintWriter(text, true));
    List<String> lines =
        text.toString().lines().map(line -> line.replaceAll(" +", " ")).skip(2).toList();
    assertEquals(
        List.of(
            "server connections cpu of a core wake-ups/s",
            "ours 64 0.20% 22.0",
            "simple 1 50.00% 7.0"),
        lines);
  }
}
