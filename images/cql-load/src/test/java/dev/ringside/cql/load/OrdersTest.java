package dev.ringside.cql.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import dev.ringside.load.OrdersAgreement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrdersTest extends OrdersAgreement {
  OrdersTest() {
    super(Orders::of, "write");
  }

  @Test
  void shouldDoAsCassandraStressUnlessToldOtherwise() {
    Orders orders = Orders.of(environment::get);
    assertEquals("WRITE", orders.tag());
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
        "RINGSIDE_PARAM_TABLE_COMPACTION | LCS | RINGSIDE_PARAM_TABLE_COMPACTION is 'LCS': give a",
        "RINGSIDE_REPLICATION_FACTOR | 0 | RINGSIDE_REPLICATION_FACTOR is '0'",
        "RINGSIDE_PARAM_OPS | ops(one=1,One=1) | 'one' and 'One', which both count as the outcome one:",
        "RINGSIDE_PARAM_OPS | ops(one=1,one_empty=1) | which both count as the outcome one-empty:",
      })
  void shouldNameWhatMakesNoSense(String name, String value, String message) {
    environment.put("RINGSIDE_OPERATION", "read");
    assertRejected(name, value, message);
  }
}
