package dev.ringside.cassandra.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.contract.ServerProof;
import java.util.Map;
import java.util.Optional;
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
    Variant variant = new Variant("5.0.9", "17", beans);
    variant.check(Pods.number(0, Map.of("RINGSIDE_COLLECTOR", collector)), Optional.empty());
    ServerProof proof = ServerProof.ofJarOf(String.class);
    variant.tell(proof);
    String line = proof.line("v50", String.class, "127.0.0.1", 9042, Map.of());
    String settings = line.substring(line.indexOf("\"settings\""));
    for (String wanted :
        new String[] {
          "\"version\":\"5.0.9\"", "\"java\":\"17\"", "\"collector\":\"" + collector + "\""
        }) {
      assertTrue(settings.contains(wanted), wanted + " in " + settings);
    }
  }

  @Test
  void shouldNameEachDifferenceFromThePromise() {
    Variant variant = new Variant("4.1.10", "11", "ZGC");
    assertEquals(
        "server v50 needs Cassandra 5.0.9, but runs with 4.1.10 and needs Java 17, but runs with 11"
            + " and needs collector G1, but runs with ZGC",
        assertThrows(
                IllegalArgumentException.class,
                () -> variant.check(Pods.number(0), Optional.empty()))
            .getMessage());
  }

  @Test
  void shouldBeTheVersionOfTheDataAfterAnUpgrade() {
    Pod pod = Pods.number(0, Map.of("RINGSIDE_VERSION", "4.1.10", "RINGSIDE_JAVA", "11"));
    new Variant("4.1.10", "11", "G1 ").check(pod, Optional.empty());
    new Variant("5.0.9", "11", "G1 ").check(pod, Optional.of("5.0.9"));
    Variant tooNew = new Variant("5.0.9", "11", "G1 ");
    assertThrows(IllegalArgumentException.class, () -> tooNew.check(pod, Optional.empty()));
  }
}
