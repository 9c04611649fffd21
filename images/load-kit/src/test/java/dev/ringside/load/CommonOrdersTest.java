package dev.ringside.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommonOrdersTest {
  private final Map<String, String> environment =
      new HashMap<>(
          Map.of(
              "RINGSIDE_DURATION_SECONDS", "120",
              "RINGSIDE_KEYS", "100",
              "RINGSIDE_THREADS", "8",
              "RINGSIDE_HLOG", "/scratch/load.hlog",
              "RINGSIDE_SUMMARY", "/scratch/summary",
              "RINGSIDE_ENDPOINTS", "10.0.0.1:9160,10.0.0.2:9160"));

  @Test
  void shouldReadAPlainPhase() {
    CommonOrders orders = orders();
    assertNull(orders.interleaving());
    assertEquals("[10.0.0.1:9160, 10.0.0.2:9160]", orders.endpoints().toString());
    assertEquals(120, orders.seconds());
    assertEquals(0, orders.operations());
    assertEquals(100, orders.keyCount());
    assertEquals(0, orders.targetRate());
  }

  @Test
  void shouldRefuseAThreadWithoutAConnection() {
    assertEquals(8, orders().connections());
    environment.put("RINGSIDE_CONNECTIONS", "64");
    assertEquals(64, orders().connections());
    environment.put("RINGSIDE_CONNECTIONS", "7");
    assertTrue(
        assertThrows(OrdersException.class, this::orders)
            .getMessage()
            .contains("RINGSIDE_CONNECTIONS is 7 for RINGSIDE_THREADS=8"));
  }

  @Test
  void shouldRefuseASearchThatIsNone() {
    environment.put("RINGSIDE_CAPACITY_PERCENTILE", "100");
    environment.put("RINGSIDE_CAPACITY_BOUND_MICROS", "0");
    environment.put("RINGSIDE_CAPACITY_FROM", "500");
    environment.put("RINGSIDE_CAPACITY_TO", "400");
    environment.put("RINGSIDE_TARGET_RATE", "100");
    String faults = assertThrows(OrdersException.class, this::orders).getMessage();
    for (String fault :
        new String[] {
          "RINGSIDE_CAPACITY_PERCENTILE is '100': give a number between 0 and 100",
          "RINGSIDE_CAPACITY_BOUND_MICROS is '0'",
          "RINGSIDE_CAPACITY_TO is 400: it is less than RINGSIDE_CAPACITY_FROM",
          "RINGSIDE_TARGET_RATE is set: a search for a capacity chooses its own rates"
        }) {
      assertTrue(faults.contains(fault), faults);
    }
  }

  @Test
  void shouldReadInterleavedWindows() {
    interleaved();
    Interleaving interleaving = orders().interleaving();
    assertEquals("[hsha, disruptor, xedin]", interleaving.arms().toString());
    assertEquals("b:2", interleaving.arms().get(0).endpointOf(3).toString());
    assertEquals(500_000_000, interleaving.windowNanos());
    assertEquals(-1, interleaving.baseline());
    // 120 s have 80 blocks of three windows of 500 ms; 10 s of warm-up are 7 blocks, rounded up.
    assertEquals(240, interleaving.measured().size());
    assertEquals(21, interleaving.warmup().size());
  }

  @Test
  void shouldCutTheScheduleWhereConnectionsAreOpenedAnew() {
    interleaved();
    Interleaving interleaving = orders().interleaving();
    assertEquals(List.of(interleaving.measured().toString()), pieces(interleaving));
    assertFalse(interleaving.reconnects());
    environment.put("RINGSIDE_RECONNECT_BLOCKS", "20,21");
    interleaving = orders().interleaving();
    assertTrue(interleaving.reconnects());
    assertEquals(List.of(60, 3, 177), interleaving.pieces().stream().map(List::size).toList());
    assertEquals(
        interleaving.measured().toString(),
        interleaving.pieces().stream().flatMap(List::stream).toList().toString());
  }

  private static List<String> pieces(Interleaving interleaving) {
    return interleaving.pieces().stream().map(Object::toString).toList();
  }

  @Test
  void shouldRefuseASearchThatOpensConnectionsAnew() {
    interleaved();
    environment.put("RINGSIDE_RECONNECT_BLOCKS", "20");
    environment.put("RINGSIDE_CAPACITY_PERCENTILE", "99");
    environment.put("RINGSIDE_CAPACITY_BOUND_MICROS", "1000");
    environment.put("RINGSIDE_CAPACITY_FROM", "500");
    refused("RINGSIDE_RECONNECT_BLOCKS is set: a search for a capacity keeps its connections");
  }

  @Test
  void shouldCountLeadInsIntoTheDuration() {
    interleaved();
    assertEquals(0, orders().interleaving().leadInNanos());
    environment.put("RINGSIDE_LEAD_IN_MILLIS", "300");
    Interleaving interleaving = orders().interleaving();
    assertEquals(300_000_000, interleaving.leadInNanos());
    assertEquals(500_000_000, interleaving.windowNanos());
    assertEquals(3 * 50, interleaving.measured().size(), "120 s hold 50 blocks of 3 x 800 ms");
  }

  @Test
  void shouldReadADuet() {
    interleaved();
    environment.put("RINGSIDE_INTERLEAVE", "duet");
    environment.put("RINGSIDE_BASELINE", "disruptor");
    Interleaving interleaving = orders().interleaving();
    assertEquals(1, interleaving.baseline());
    assertEquals(240, interleaving.measured().size());
  }

  @Test
  void shouldTakeSeedsOf64BitsWithAndWithoutASign() {
    interleaved();
    environment.put("RINGSIDE_SEED", "18446744073709551615");
    assertEquals(-1, orders().seed());
    environment.put("RINGSIDE_SEED", "-1");
    assertEquals(-1, orders().seed());
  }

  @Test
  void shouldTellAllFaultsAtOnceInOneLine() {
    environment.put("RINGSIDE_THREADS", "none");
    environment.put("RINGSIDE_KEYS", "0");
    environment.remove("RINGSIDE_HLOG");
    assertEquals(
        "RINGSIDE_KEYS is '0': give a whole number from 1 to 2147483647;"
            + " RINGSIDE_THREADS is 'none': give a whole number from 1 to 2147483647;"
            + " RINGSIDE_HLOG is empty: say where to write",
        assertThrows(OrdersException.class, this::orders).getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "RINGSIDE_OPERATIONS | 5 | set one of RINGSIDE_OPERATIONS and RINGSIDE_DURATION_SECONDS",
        "RINGSIDE_ENDPOINTS | '' | RINGSIDE_ENDPOINTS has '': write host:port,host:port",
        "RINGSIDE_KEY_OFFSET | 100 | keys 100 to 100 are not among RINGSIDE_KEYS=100",
        "RINGSIDE_TARGET_RATE | -1 | RINGSIDE_TARGET_RATE is '-1'",
      })
  void shouldNameWhatMakesNoSense(String name, String value, String says) {
    environment.put(name, value);
    refused(says);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "RINGSIDE_OPERATIONS | 5 | interleaved windows take RINGSIDE_DURATION_SECONDS",
        "RINGSIDE_ARMS | hsha=a:1 | RINGSIDE_ARMS has 1: give two arms or more",
        "RINGSIDE_ARMS | hsha=a:1;hsha=b:1 | RINGSIDE_ARMS has 'hsha' twice",
        "RINGSIDE_ARMS | a:1;b:2 | RINGSIDE_ARMS has 'a:1': write arm=host:port",
        "RINGSIDE_ARMS | hsha=a:1;x@y=b:1 | RINGSIDE_ARMS has 'x@y=b:1': write arm=host:port",
        "RINGSIDE_ARMS | hsha=a;b=b:1 | RINGSIDE_ARMS has 'a': write host:port",
        "RINGSIDE_ENDPOINTS | a:1 | set one of RINGSIDE_ARMS and RINGSIDE_ENDPOINTS",
        "RINGSIDE_SEED | '' | RINGSIDE_SEED is ''",
        "RINGSIDE_INTERLEAVE | trio | RINGSIDE_INTERLEAVE is 'trio': it is one of windows, duet",
        "RINGSIDE_INTERLEAVE | duet | RINGSIDE_BASELINE is '': a duet needs one of the arms",
        "RINGSIDE_RECONNECT_BLOCKS | 0,1 | RINGSIDE_RECONNECT_BLOCKS has '0': name blocks after the"
            + " first of 80, in their order, as in 1,2",
        "RINGSIDE_RECONNECT_BLOCKS | 80 | RINGSIDE_RECONNECT_BLOCKS has '80'",
        "RINGSIDE_RECONNECT_BLOCKS | 5,5 | RINGSIDE_RECONNECT_BLOCKS has '5'",
        "RINGSIDE_RECONNECT_BLOCKS | 5;6 | RINGSIDE_RECONNECT_BLOCKS has '5;6'",
        "RINGSIDE_DURATION_SECONDS | 2 | which is 1 of the 2 blocks of 1500 ms that are needed at"
            + " least: give it 3 or more",
      })
  void shouldNameWhatMakesNoSenseOfInterleavedWindows(String name, String value, String says) {
    interleaved();
    environment.put(name, value);
    refused(says);
  }

  @Test
  void shouldRefuseADuetWhoseThreadsHaveNoHalf() {
    interleaved();
    environment.put("RINGSIDE_INTERLEAVE", "duet");
    environment.put("RINGSIDE_BASELINE", "hsha");
    environment.put("RINGSIDE_THREADS", "7");
    refused("RINGSIDE_THREADS is '7': a duet needs an even number");
  }

  private void interleaved() {
    environment.remove("RINGSIDE_ENDPOINTS");
    environment.put("RINGSIDE_ARMS", "hsha=a:1,b:2;disruptor=a:3,b:3;xedin=a:4");
    environment.put("RINGSIDE_WINDOW_MILLIS", "500");
    environment.put("RINGSIDE_SEED", "1");
  }

  private void refused(String says) {
    OrdersException fault = assertThrows(OrdersException.class, this::orders);
    assertTrue(fault.getMessage().contains(says), fault.getMessage());
  }

  private CommonOrders orders() {
    OrderSource in = new OrderSource(environment::get);
    CommonOrders orders = new CommonOrders(in);
    in.check();
    return orders;
  }
}
