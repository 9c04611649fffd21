package dev.ringside.cassandra.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class VariantTest {
  /** Names of the collectors' beans in Java 11 and 17. */
  @ParameterizedTest
  @CsvSource({
    "G1, 'G1 Young Generation, G1 Old Generation'",
    "CMS, 'ParNew, ConcurrentMarkSweep'",
    "ZGC, ZGC",
    "ZGC, 'ZGC Cycles, ZGC Pauses'",
    "Shenandoah, 'Shenandoah Pauses, Shenandoah Cycles'",
  })
  void shouldKnowEachCollector(String collector, String beans) {
    Pod pod = Pods.number(0, Map.of("RINGSIDE_COLLECTOR", collector));
    assertEquals("", Variant.problems(pod, "5.0.9", "17", beans));
  }

  @Test
  void shouldNameEachDifferenceFromThePromise() {
    assertEquals(
        "needs Cassandra 5.0.9, but runs with 4.1.10 and needs Java 17, but runs with 11 and needs"
            + " collector G1, but runs with ZGC",
        Variant.problems(Pods.number(0), "4.1.10", "11", "ZGC"));
  }
}
