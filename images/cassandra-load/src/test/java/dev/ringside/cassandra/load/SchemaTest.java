package dev.ringside.cassandra.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SchemaTest {
  @Test
  void shouldWaitUntilAllNodesHoldOneSchema() {
    assertEquals("", Schema.disagreement(Map.of("a", List.of("1", "2")), 2));
    assertEquals(
        "", Schema.disagreement(Map.of("a", List.of("1", "2"), "UNREACHABLE", List.of()), 2));
    assertEquals("1 of 2 nodes are in the ring", Schema.disagreement(Map.of("a", List.of("1")), 2));
    assertEquals("0 of 2 nodes are in the ring", Schema.disagreement(Map.of(), 2));
    assertEquals(
        "1 of 2 nodes do not answer: [2]",
        Schema.disagreement(Map.of("a", List.of("1"), "UNREACHABLE", List.of("2")), 2));
    assertEquals(
        "there are several versions",
        Schema.disagreement(Map.of("a", List.of("1"), "b", List.of("2")), 2).split(":")[0]);
  }
}
