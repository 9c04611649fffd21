package dev.ringside.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.load.OrdersAgreement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrdersTest extends OrdersAgreement {
  OrdersTest() {
    super(Orders::of, "read");
    environment.put("RINGSIDE_OPERATIONS", "50");
    environment.put("RINGSIDE_KEYS", "100");
    environment.put("RINGSIDE_KEY_OFFSET", "50");
    environment.put("RINGSIDE_THREADS", "8");
  }

  @Test
  void shouldWriteThisPodsKeysOnce() {
    environment.put("RINGSIDE_OPERATION", "write");
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
        "RINGSIDE_OPERATIONS | 51 | this pod has 50 keys to write",
        "RINGSIDE_OPERATIONS | 7 | every thread needs one",
        "RINGSIDE_TARGET_RATE | 3 | use fewer threads",
        "RINGSIDE_CONSISTENCY | QUORUM | the stub has no consistency levels",
        "RINGSIDE_PARAM_DISTRIBUTION | gaussian | it is one of uniform, zipfian",
      })
  void shouldNameWhatMakesNoSense(String name, String value, String says) {
    environment.put("RINGSIDE_OPERATION", "write");
    assertRejected(name, value, says);
  }

  private Orders orders() {
    return Orders.of(environment::get);
  }
}
