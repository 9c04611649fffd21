package dev.ringside.http.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.ringside.load.OrdersAgreement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrdersTest extends OrdersAgreement {
  OrdersTest() {
    super(Orders::of, "read");
  }

  @Test
  void shouldTakeTheUsualWhereNothingIsSaid() {
    Orders orders = Orders.of(environment::get);
    assertEquals(100, orders.valueSize());
    assertEquals(0, orders.missRatio());
    assertFalse(orders.retryBusy());
    assertEquals("READ", orders.tag());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "RINGSIDE_PARAM_MISS_RATIO | NaN | is 'NaN': give a number from 0 to 1",
        "RINGSIDE_PARAM_VALUE_SIZE | 65537 | is '65537': 65536 at most",
        "RINGSIDE_PARAM_WHEN_BUSY | weep | is 'weep': it is one of count, retry",
        "RINGSIDE_OPERATION | stress | is 'stress': it is one of write, read, delete",
      })
  void shouldRefuseInOneLine(String name, String value, String text) {
    assertRejected(name, value, name + " " + text);
  }
}
