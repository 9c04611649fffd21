package dev.ringside.bench.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class AllocationsTest {
  private final Allocations before = new Allocations(Map.of(1L, 100L, 2L, 1000L), 5);

  @Test
  void shouldCountThreadsThatLivedAllTheWhileAndNewOnes() {
    Allocations now = new Allocations(Map.of(1L, 150L, 2L, 1000L, 3L, 7L), 6);
    assertEquals(OptionalLong.of(57), now.since(before));
  }

  @Test
  void shouldHaveNoFigureWhenAThreadHasEnded() {
    assertEquals(OptionalLong.empty(), new Allocations(Map.of(1L, 150L), 5).since(before));
  }

  @Test
  void shouldHaveNoFigureWhenAThreadCameAndWent() {
    Allocations now = new Allocations(Map.of(1L, 150L, 2L, 1000L), 6);
    assertEquals(OptionalLong.empty(), now.since(before));
  }
}
