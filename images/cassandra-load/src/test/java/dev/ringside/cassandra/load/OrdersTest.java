package dev.ringside.cassandra.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ringside.load.OrdersAgreement;
import org.apache.cassandra.thrift.ConsistencyLevel;
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
    assertEquals("WRITE", orders.operation());
    assertEquals(ConsistencyLevel.LOCAL_ONE, orders.consistency());
    assertEquals(Distribution.GAUSSIAN, orders.distribution());
    assertEquals(5, orders.columns());
    assertEquals(34, orders.columnSize());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "RINGSIDE_OPERATION | scan | it is one of write, read",
        "RINGSIDE_CONSISTENCY | MOST | it is one of ONE, QUORUM",
        "RINGSIDE_PARAM_DISTRIBUTION | zipfian | it is one of gaussian, uniform, sequential",
        "RINGSIDE_REPLICATION_FACTOR | 0 | RINGSIDE_REPLICATION_FACTOR is '0'",
      })
  void shouldNameWhatMakesNoSense(String name, String value, String text) {
    assertRejected(name, value, text);
  }
}
