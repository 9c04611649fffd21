package dev.ringside.gps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.load.OrdersAgreement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrdersTest extends OrdersAgreement {
  OrdersTest() {
    super(Orders::of, "point");
    environment.remove("RINGSIDE_OPERATIONS"); // which must be a multiple of the packet size
    environment.put("RINGSIDE_DURATION_SECONDS", "10");
    environment.put("RINGSIDE_THREADS", "7");
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
        "RINGSIDE_OPERATION | write | it is one of point",
        "RINGSIDE_PARAM_PACKET_SIZE | 5000 | RINGSIDE_PARAM_PACKET_SIZE is 5000: 4096 at most",
        "RINGSIDE_PARAM_POINTS_MIN | 10001 | trips of 10001 to 10001 points",
        "RINGSIDE_PARAM_TRIPS | 16667 | 5000100 trips in flight",
        "RINGSIDE_CONNECTIONS | 30001 | one for each of the 30001 connections",
      })
  void shouldRefuseWhatMakesNoSense(String name, String value, String says) {
    assertRejected(name, value, says);
  }

  @Test
  void shouldRefuseTheLongestTripBeforeTheShortest() {
    environment.put("RINGSIDE_PARAM_POINTS_MIN", "10");
    assertRejected("RINGSIDE_PARAM_POINTS_MAX", "9", "trips of 10 to 9 points");
  }

  @Test
  void shouldRefuseHalfAPacket() {
    environment.remove("RINGSIDE_DURATION_SECONDS");
    assertRejected("RINGSIDE_OPERATIONS", "150", "RINGSIDE_OPERATIONS is 150");
  }
}
