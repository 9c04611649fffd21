package dev.ringside.cql.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import dev.ringside.load.OrdersException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrdersTest {
  private final Map<String, String> environment =
      new HashMap<>(
          Map.of(
              "RINGSIDE_OPERATION", "read",
              "RINGSIDE_ENDPOINTS", "10.0.0.1:9042,10.0.0.2:9042",
              "RINGSIDE_OPERATIONS", "50",
              "RINGSIDE_KEYS", "100",
              "RINGSIDE_THREADS", "8",
              "RINGSIDE_HLOG", "/scratch/load.hlog",
              "RINGSIDE_SUMMARY", "/scratch/summary"));

  @Test
  void shouldDoAsCassandraStressUnlessToldOtherwise() {
    Orders orders = Orders.of(environment::get);
    assertEquals("READ", orders.tag());
    assertEquals(DefaultConsistencyLevel.LOCAL_ONE, orders.consistency());
    assertEquals(5, orders.columns());
    assertEquals(34, orders.columnSize());
    assertEquals(new DriverOrders(true, false, 5000, 1), orders.driver());
    assertEquals(" WITH compression = {'enabled': false}", orders.table().clause());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "RINGSIDE_OPERATION | scan | RINGSIDE_OPERATION is 'scan': it is one of write, read",
        "RINGSIDE_CONSISTENCY | MOST | RINGSIDE_CONSISTENCY is 'MOST': it is one of ANY, ONE",
        "RINGSIDE_CONSISTENCY | ANY | RINGSIDE_CONSISTENCY is 'ANY': that level is for writes only",
        "RINGSIDE_PARAM_TOKEN_AWARE | maybe | RINGSIDE_PARAM_TOKEN_AWARE is 'maybe': it is one of",
        "RINGSIDE_PARAM_PAGE_SIZE | 0 | RINGSIDE_PARAM_PAGE_SIZE is '0'",
        "RINGSIDE_PARAM_TABLE_COMPACTION | LCS | RINGSIDE_PARAM_TABLE_COMPACTION is 'LCS': give a"
            + " CQL map, as in {'class': 'LeveledCompactionStrategy'}",
        "RINGSIDE_REPLICATION_FACTOR | 0 | RINGSIDE_REPLICATION_FACTOR is '0'",
        "RINGSIDE_PARAM_OPS | ops(one=1,One=1) | RINGSIDE_PARAM_OPS has 'one' and 'One', which both"
            + " count as the outcome one: rename one",
        "RINGSIDE_PARAM_OPS | ops(one=1,one_empty=1) | RINGSIDE_PARAM_OPS has 'one' and 'one_empty',"
            + " which both count as the outcome one-empty: rename one",
      })
  void shouldNameWhatMakesNoSense(String name, String value, String message) {
    environment.put(name, value);
    OrdersException fault = assertThrows(OrdersException.class, () -> Orders.of(environment::get));
    assertTrue(fault.getMessage().contains(message), fault.getMessage());
  }
}
