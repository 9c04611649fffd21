package dev.ringside.cassandra.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RingTest {
  private static final List<String> TWO = List.of("10.0.0.1", "10.0.0.2");

  @TempDir private Path data;

  private static Map<String, List<String>> notAsked() {
    return fail("it waits for nodes that do not answer");
  }

  @Test
  void shouldLackNodesUntilAllAreUpWithTheirTokensAndOneSchema() {
    Ring ring = new Ring(data, 2);
    assertEquals(
        List.of("1 of 2 nodes are up, 1 have their token"), ring.lacks(1, 1, RingTest::notAsked));
    assertEquals(
        List.of("2 of 2 nodes are up, 1 have their token"), ring.lacks(2, 1, RingTest::notAsked));
    assertEquals(
        List.of("the nodes have 2 versions of the schema"),
        ring.lacks(2, 2, () -> Map.of("a", List.of("10.0.0.1"), "b", List.of("10.0.0.2"))));
    assertEquals(
        List.of("nodes that do not answer: [10.0.0.2]"),
        ring.lacks(2, 2, () -> Map.of("a", TWO, Ring.UNREACHABLE, List.of("10.0.0.2"))));
    assertFalse(ring.wasComplete());
    assertEquals(List.of(), ring.lacks(2, 2, () -> Map.of("a", TWO)));
    assertTrue(ring.wasComplete());
  }

  @Test
  void shouldRememberTheRingOfItsData() throws Exception {
    new Ring(data, 3).check(); // new data
    new Ring(data, 2).lacks(2, 2, () -> Map.of("a", TWO));
    new Ring(data, 2).check();
    String said =
        assertThrows(IllegalArgumentException.class, () -> new Ring(data, 3).check()).getMessage();
    assertTrue(said.contains("a ring of 2 nodes, not of 3; set nodes to 2, or"), said);
  }
}
