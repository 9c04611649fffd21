package dev.ringside.gps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.load.OrdersException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrdersTest {
  private final Map<String, String> environment = new HashMap<>();

  @BeforeEach
  void orders() {
    environment.put("RINGSIDE_OPERATION", "point");
    environment.put("RINGSIDE_DURATION_SECONDS", "10");
    environment.put("RINGSIDE_KEYS", "1");
    environment.put("RINGSIDE_THREADS", "7");
    environment.put("RINGSIDE_HLOG", "hlog");
    environment.put("RINGSIDE_SUMMARY", "summary");
    environment.put("RINGSIDE_ENDPOINTS", "h:1");
  }

  @Test
  void shouldHaveAsManyTripsInFlightAsTripsTimesMultiplier() {
    environment.put("RINGSIDE_PARAM_TRIPS", "10");
    environment.put("RINGSIDE_PARAM_MULTIPLIER", "3");
    Orders orders = Orders.of(environment::get);
    assertEquals(100, orders.common().batch(), "as published");
    int all = 0;
    for (int connection = 0; connection < 7; connection++) {
      assertTrue(orders.inFlight(connection) >= 4);
      all += orders.inFlight(connection);
    }
    assertEquals(30, all);
  }

  @Test
  void shouldKnowThePacketsSizeByItsPublishedName() {
    // Both packet.size and packet-size in an experiment become this variable.
    environment.put("RINGSIDE_PARAM_PACKET_SIZE", "25");
    assertEquals(25, Orders.of(environment::get).common().batch());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "RINGSIDE_OPERATION | write | RINGSIDE_OPERATION is 'write': it is one of point",
        "RINGSIDE_PARAM_PACKET_SIZE | 0 | RINGSIDE_PARAM_PACKET_SIZE is '0': give a whole number from 1",
        "RINGSIDE_PARAM_PACKET_SIZE | 5000 | RINGSIDE_PARAM_PACKET_SIZE is 5000: 4096 at most",
        "RINGSIDE_PARAM_POINTS_MIN | 1 | RINGSIDE_PARAM_POINTS_MIN is '1': give a whole number from 2",
        "RINGSIDE_PARAM_POINTS_MAX | 1 | RINGSIDE_PARAM_POINTS_MAX is '1': give a whole number from 2",
        "RINGSIDE_PARAM_POINTS_MIN | 10001 | trips of 10001 to 10001 points",
        "RINGSIDE_PARAM_TRIPS | many | RINGSIDE_PARAM_TRIPS is 'many'",
        "RINGSIDE_PARAM_TRIPS | 16667 | 5000100 trips in flight",
        "RINGSIDE_CONNECTIONS | 30001 | one for each of the 30001 connections",
        "RINGSIDE_PARAM_PERIOD_MS | 0 | RINGSIDE_PARAM_PERIOD_MS is '0'",
        "RINGSIDE_PARAM_SEED | x | RINGSIDE_PARAM_SEED is 'x'",
      })
  void shouldRefuseWhatMakesNoSense(String name, String value, String says) {
    environment.put(name, value);
    OrdersException refused =
        assertThrows(OrdersException.class, () -> Orders.of(environment::get));
    assertTrue(refused.getMessage().contains(says), refused::getMessage);
  }

  @Test
  void shouldRefuseTheLongestTripBeforeTheShortest() {
    environment.put("RINGSIDE_PARAM_POINTS_MIN", "10");
    environment.put("RINGSIDE_PARAM_POINTS_MAX", "9");
    OrdersException refused =
        assertThrows(OrdersException.class, () -> Orders.of(environment::get));
    assertTrue(refused.getMessage().contains("trips of 10 to 9 points"), refused::getMessage);
  }

  @Test
  void shouldRefuseHalfAPacket() {
    environment.remove("RINGSIDE_DURATION_SECONDS");
    environment.put("RINGSIDE_OPERATIONS", "150");
    OrdersException refused =
        assertThrows(OrdersException.class, () -> Orders.of(environment::get));
    assertTrue(refused.getMessage().contains("RINGSIDE_OPERATIONS is 150"));
  }
}
