package dev.ringside.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.ringside.thrift.ServerType;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SettingsTest {
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
  void shouldPreferThePropertyToTheEnvironment() {
    Settings settings =
        settings(Map.of("RINGSIDE_SERVERS", "hsha"), Map.of("ringside.servers", "xedin"));
    assertEquals("xedin", settings.servers());
  }

  @Test
  void shouldPreferAServersOwnOptionToTheOneForAll() {
    Settings settings =
        settings(Map.of("RINGSIDE_WORKERS", "16", "RINGSIDE_HSHA_WORKERS", "4"), Map.of());
    assertEquals(4, settings.integer(ServerType.HSHA, "WORKERS", 1, 64));
    assertEquals(16, settings.integer(ServerType.XEDIN, "WORKERS", 1, 64));
    assertEquals(2, settings.integer(ServerType.XEDIN, "SELECTORS", 1, 2));
  }

  @Test
  void shouldRefuseNumbersThatAreTooSmall() {
    Settings settings = settings(Map.of("RINGSIDE_WORKERS", "0"), Map.of());
    assertEquals(
        "RINGSIDE_HSHA_WORKERS (or RINGSIDE_WORKERS) is '0': give a whole number from 1 up",
        assertThrows(
                IllegalArgumentException.class,
                () -> settings.integer(ServerType.HSHA, "WORKERS", 1, 64))
            .getMessage());
  }
}
