package dev.ringside.cassandra.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class NodeSizesTest {
  private static final Path CONTRACT = Path.of("../../../docs/reference/store-contract.md");

  @Test
  void shouldReportPendingCompactionsByTheNameOfTheContract() throws Exception {
    Map<String, Long> sizes = new NodeSizes(() -> 7).get();
    assertEquals(Map.of("pending_compactions", 7L), sizes);
    assertTrue(
        Files.readString(CONTRACT).contains("\n| `pending_compactions` |"),
        "the contract has the size");
  }
}
