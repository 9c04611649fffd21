package dev.ringside.cassandra.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.load.OrdersException;
import java.util.HashMap;
import java.util.Map;
import org.apache.cassandra.thrift.ConsistencyLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrdersTest {
  private final Map<String, String> environment =
      new HashMap<>(
          Map.of(
              "RINGSIDE_OPERATION", "write",
              "RINGSIDE_ENDPOINTS", "10.0.0.1:9160,10.0.0.2:9160",
              "RINGSIDE_OPERATIONS", "50",
              "RINGSIDE_KEYS", "100",
              "RINGSIDE_KEY_OFFSET", "50",
              "RINGSIDE_KEY_COUNT", "50",
              "RINGSIDE_THREADS", "8",
              "RINGSIDE_HLOG", "/scratch/load.hlog",
              "RINGSIDE_SUMMARY", "/scratch/summary"));

  @Test
  void shouldDoAsCassandraStressUnlessToldOtherwise() {
    Orders orders = Orders.of(environment::get);
    assertEquals("WRITE", orders.operation());
    assertEquals(ConsistencyLevel.LOCAL_ONE, orders.consistency());
    assertEquals(Distribution.GAUSSIAN, orders.distribution());
    assertEquals(5, orders.columns());
    assertEquals(34, orders.columnSize());
    assertEquals(2, orders.nodes().size());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "RINGSIDE_OPERATION | scan | RINGSIDE_OPERATION is 'scan': it is one of write, read",
        "RINGSIDE_CONSISTENCY | MOST | RINGSIDE_CONSISTENCY is 'MOST': it is one of ONE, QUORUM",
        "RINGSIDE_PARAM_DISTRIBUTION | zipfian | it is one of gaussian, uniform, sequential",
        "RINGSIDE_PARAM_COLUMNS | 0 | RINGSIDE_PARAM_COLUMNS is '0'",
        "RINGSIDE_REPLICATION_FACTOR | 0 | RINGSIDE_REPLICATION_FACTOR is '0'",
      })
  void shouldNameWhatMakesNoSense(String name, String value, String says) {
    environment.put(name, value);
    OrdersException fault = assertThrows(OrdersException.class, () -> Orders.of(environment::get));
    assertTrue(fault.getMessage().contains(says), fault.getMessage());
  }
}
