package dev.ringside.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrdersTest {
  private final Map<String, String> environment =
      new HashMap<>(
          Map.of(
              "RINGSIDE_OPERATION", "write",
              "RINGSIDE_ENDPOINTS", "10.0.0.1:9090,10.0.0.2:9090",
              "RINGSIDE_OPERATIONS", "50",
              "RINGSIDE_KEYS", "100",
              "RINGSIDE_KEY_OFFSET", "50",
              "RINGSIDE_KEY_COUNT", "50",
              "RINGSIDE_THREADS", "8",
              "RINGSIDE_HLOG", "/scratch/load.hlog",
              "RINGSIDE_SUMMARY", "/scratch/summary"));

  @Test
  void shouldWriteThisPodsKeysOnce() {
    Orders orders = orders();
    assertTrue(orders.inserting());
    assertEquals("50", orders.properties().getProperty("insertstart"));
    assertEquals("50", orders.properties().getProperty("insertcount"));
    assertEquals("false", orders.properties().getProperty("dotransactions"));
    int sum = 0;
    for (int thread = 0; thread < orders.common().threads(); thread++) {
      sum += orders.operationsOf(thread);
    }
    assertEquals(50, sum);
  }

  @Test
  void shouldReadFromAllKeys() {
    environment.put("RINGSIDE_OPERATION", "read");
    Orders orders = orders();
    assertEquals("0", orders.properties().getProperty("insertstart"));
    assertEquals("100", orders.properties().getProperty("insertcount"));
    assertEquals("1.0", orders.properties().getProperty("readproportion"));
    assertEquals("0.0", orders.properties().getProperty("updateproportion"));
  }

  @Test
  void shouldMixByProportion() {
    environment.put("RINGSIDE_OPERATION", "mixed");
    environment.put("RINGSIDE_PARAM_READ_PROPORTION", "0.75");
    assertEquals("0.75", orders().properties().getProperty("readproportion"));
    assertEquals("0.25", orders().properties().getProperty("updateproportion"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "RINGSIDE_OPERATION | delete | it is one of write, insert, read, update, scan, mixed",
        "RINGSIDE_ENDPOINTS | somewhere | RINGSIDE_ENDPOINTS has 'somewhere': write host:port",
        "RINGSIDE_OPERATIONS | 51 | this pod has 50 keys to write",
        "RINGSIDE_OPERATIONS | 7 | every thread needs one",
        "RINGSIDE_OPERATIONS | x | RINGSIDE_OPERATIONS is 'x'",
        "RINGSIDE_DURATION_SECONDS | 5 | set one of RINGSIDE_OPERATIONS and"
            + " RINGSIDE_DURATION_SECONDS",
        "RINGSIDE_KEY_OFFSET | 60 | keys 60 to 109 are not among RINGSIDE_KEYS=100",
        "RINGSIDE_THREADS | 0 | RINGSIDE_THREADS is '0'",
        "RINGSIDE_TARGET_RATE | 3 | use fewer threads",
        "RINGSIDE_CONSISTENCY | QUORUM | the stub has no consistency levels",
        "RINGSIDE_PARAM_DISTRIBUTION | gaussian | it is one of uniform, zipfian",
        "RINGSIDE_HLOG | '' | RINGSIDE_HLOG is empty",
      })
  void shouldNameWhatMakesNoSense(String name, String value, String says) {
    environment.put(name, value);
    IllegalArgumentException fault = assertThrows(IllegalArgumentException.class, this::orders);
    assertTrue(fault.getMessage().contains(says), fault.getMessage());
  }

  private Orders orders() {
    return Orders.of(environment::get);
  }
}
