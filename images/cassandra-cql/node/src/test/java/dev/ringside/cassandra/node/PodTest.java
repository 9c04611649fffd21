package dev.ringside.cassandra.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.apache.cassandra.config.Config;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PodTest {
  @ParameterizedTest
  @CsvSource({
    "0, -9223372036854775808",
    "1, -4611686018427387904",
    "2, 0",
    "3, 4611686018427387904",
  })
  void shouldSpreadTheNodesEvenlyOverTheRing(int ordinal, String token) {
    assertEquals(token, Pods.number(ordinal).token());
  }

  @Test
  void shouldJoinThroughTheFirstNode() {
    assertTrue(Pods.number(0).isSeed());
    assertEquals("10.0.0.1", Pods.number(0).seed(), "its name might not be known yet");
    assertFalse(Pods.number(2).isSeed());
    assertEquals("trial-0.trial-ring", Pods.number(2).seed());
  }

  @Test
  void shouldConfigureCassandraForThePod() {
    Config config = PodConfiguration.withPod(new Config(), Pods.number(2));
    assertEquals("10.0.0.3", config.listen_address);
    assertEquals("10.0.0.3", config.rpc_address);
    assertEquals(9042, config.native_transport_port);
    assertEquals("0", config.initial_token);
    assertEquals(Map.of("seeds", "trial-0.trial-ring"), config.seed_provider.parameters);
  }

  @ParameterizedTest
  @CsvSource({
    "POD_NAME, trial, the number in POD_NAME",
    "POD_NAME, trial-4, but RINGSIDE_NODES is 4; raise the latter",
    "RINGSIDE_NODES, four, RINGSIDE_NODES is \"four\"; set it to a whole number",
    "RINGSIDE_NODES, '', RINGSIDE_NODES is not set",
  })
  void shouldNameAWrongVariable(String name, String value, String message) {
    Pod pod = Pods.number(0, Map.of(name, value));
    String said = assertThrows(IllegalArgumentException.class, pod::token).getMessage();
    assertTrue(said.contains(message), said);
  }

  @Test
  void shouldHaveNoPortThatIsNotSet() {
    assertEquals(0, Pods.number(0).port("RINGSIDE_COUNTERS_PORT"));
    assertEquals(9042, Pods.number(0).serverPort());
    assertEquals("v50", Pods.number(0).server());
  }
}
