package dev.ringside.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.cassandra.metrics.HintsServiceMetrics;
import org.apache.cassandra.metrics.ReadRepairMetrics;
import org.apache.cassandra.metrics.StorageMetrics;
import org.junit.jupiter.api.Test;

final class NodeEventsTest {
  private static final Path CONTRACT = Path.of("../../../docs/reference/store-contract.md");

  private final NodeEvents events = new NodeEvents();

  @Test
  void shouldHaveTheNamesOfTheContract() throws Exception {
    Matcher table =
        Pattern.compile("\\| Event \\| Meaning \\|\\n\\|---\\|---\\|\\n((?:\\|.*\\n)+)")
            .matcher(Files.readString(CONTRACT));
    assertEquals(true, table.find(), "the contract has a table of events");
    Set<String> agreed =
        table.group(1).lines().map(line -> line.split("`")[1]).collect(Collectors.toSet());
    assertEquals(agreed, events.get().keySet());
  }

  private static void count(int times) {
    StorageMetrics.totalHints.inc(7 * times);
    HintsServiceMetrics.hintsSucceeded.mark(3 * times);
    HintsServiceMetrics.hintsFailed.mark(2 * times);
    HintsServiceMetrics.hintsTimedOut.mark(times);
    ReadRepairMetrics.repairedBlocking.mark(times);
    ReadRepairMetrics.repairedBackground.mark(4 * times);
  }

  @Test
  void shouldCountEachKind() {
    Map<String, Long> before = events.get();
    count(1);
    Map<String, Long> after = events.get();
    count(-1); // the counters belong to the process, and other tests change them
    before.replaceAll((name, count) -> after.get(name) - count);
    assertEquals(
        Map.of("hints_kept", 7L, "hints_delivered", 3L, "hints_failed", 3L, "read_repairs", 5L),
        before);
  }
}
