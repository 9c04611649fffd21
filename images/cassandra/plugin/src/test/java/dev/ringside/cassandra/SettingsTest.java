package dev.ringside.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.ringside.server.ServerSpec;
import dev.ringside.server.ServerType;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SettingsTest {
  private static final ServerSpec HSHA = new ServerSpec(ServerType.HSHA, 9160);
  private static final ServerSpec AGAIN = ServerSpec.parseList("hsha-again", 9161).get(0);
  private static final ServerSpec XEDIN = new ServerSpec(ServerType.XEDIN, 9162);

  private static Settings settings(
      Map<String, String> environment, Map<String, String> properties) {
    return new Settings(environment::get, properties::get);
  }

  @Test
  void shouldHostTheDisruptorIfNothingIsSaid() {
    assertEquals("disruptor", settings(Map.of(), Map.of()).servers());
    assertEquals("disruptor", settings(Map.of("RINGSIDE_SERVERS", "  "), Map.of()).servers());
  }

  @Test
  void shouldLeaveTheNativeServerToCassandra() {
    assertEquals(
        "hsha:9160",
        settings(Map.of("RINGSIDE_SERVERS", "hsha:9160,native:9161"), Map.of()).servers());
    assertEquals("", settings(Map.of("RINGSIDE_SERVERS", "native:9160"), Map.of()).servers());
  }

  @Test
  void shouldPreferThePropertyToTheEnvironment() {
    Settings settings =
        settings(Map.of("RINGSIDE_SERVERS", "hsha"), Map.of("ringside.servers", "xedin"));
    assertEquals("xedin", settings.servers());
  }

  @Test
  void shouldPreferAServersOwnOptionToTheOneForAll() {
    Settings settings =
        settings(Map.of("RINGSIDE_WORKERS", "16", "RINGSIDE_HSHA_WORKERS", "4"), Map.of());
    assertEquals(4, settings.integer(HSHA, "WORKERS", 1, 64));
    assertEquals(16, settings.integer(XEDIN, "WORKERS", 1, 64));
    assertEquals(2, settings.integer(XEDIN, "SELECTORS", 1, 2));
  }

  @Test
  void shouldRefuseNumbersThatAreTooSmall() {
    Settings settings = settings(Map.of("RINGSIDE_WORKERS", "0"), Map.of());
    assertEquals(
        "RINGSIDE_HSHA_WORKERS (or RINGSIDE_WORKERS) is '0': give a whole number from 1 up",
        assertThrows(IllegalArgumentException.class, () -> settings.integer(HSHA, "WORKERS", 1, 64))
            .getMessage());
  }

  @Test
  void shouldPreferAFurtherServersOwnOptionToThatOfItsType() {
    Settings settings =
        settings(
            Map.of(
                "RINGSIDE_WORKERS", "16",
                "RINGSIDE_HSHA_WORKERS", "4",
                "RINGSIDE_HSHA_AGAIN_WORKERS", "5",
                "RINGSIDE_HSHA_SELECTORS", "3"),
            Map.of());
    assertEquals(5, settings.integer(AGAIN, "WORKERS", 1, 64));
    assertEquals(4, settings.integer(HSHA, "WORKERS", 1, 64));
    assertEquals(3, settings.integer(AGAIN, "SELECTORS", 1, 2));
  }

  @Test
  void shouldReadAShare() {
    Settings settings = settings(Map.of("RINGSIDE_HSHA_HOLD", "0.050"), Map.of());
    assertEquals("0.05", settings.share(HSHA, "HOLD").toString());
    assertEquals("0", settings.share(XEDIN, "HOLD").toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"-0.1", "1.01", "5%", "NaN", "0.0000001", "1e99", "0,05"})
  void shouldRefuseWhatIsNoShare(String value) {
    Settings settings = settings(Map.of("RINGSIDE_HSHA_AGAIN_HOLD", value), Map.of());
    assertEquals(
        "RINGSIDE_HSHA_AGAIN_HOLD (or RINGSIDE_HSHA_HOLD or RINGSIDE_HOLD) is '"
            + value
            + "': give a share from 0 to 1 with at most 6 decimals, as in 0.05",
        assertThrows(IllegalArgumentException.class, () -> settings.share(AGAIN, "HOLD"))
            .getMessage());
  }
}
