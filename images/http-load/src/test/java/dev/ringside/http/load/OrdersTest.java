package dev.ringside.http.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

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
              "RINGSIDE_ENDPOINTS", "127.0.0.1:8080",
              "RINGSIDE_OPERATIONS", "10",
              "RINGSIDE_KEYS", "10",
              "RINGSIDE_THREADS", "1",
              "RINGSIDE_HLOG", "load.hlog",
              "RINGSIDE_SUMMARY", "summary"));

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
        "RINGSIDE_PARAM_MISS_RATIO|1.5|RINGSIDE_PARAM_MISS_RATIO is '1.5': give a number from 0 to 1",
        "RINGSIDE_PARAM_MISS_RATIO|-0.1|RINGSIDE_PARAM_MISS_RATIO is '-0.1': give a number from 0 to"
            + " 1",
        "RINGSIDE_PARAM_MISS_RATIO|NaN|RINGSIDE_PARAM_MISS_RATIO is 'NaN': give a number from 0 to 1",
        "RINGSIDE_PARAM_MISS_RATIO|half|RINGSIDE_PARAM_MISS_RATIO is 'half': give a number from 0 to"
            + " 1",
        "RINGSIDE_PARAM_VALUE_SIZE|65537|RINGSIDE_PARAM_VALUE_SIZE is '65537': 65536 at most",
        "RINGSIDE_PARAM_WHEN_BUSY|weep|RINGSIDE_PARAM_WHEN_BUSY is 'weep': it is one of count, retry",
        "RINGSIDE_OPERATION|stress|RINGSIDE_OPERATION is 'stress': it is one of write, read, delete",
        "RINGSIDE_THREADS|0|RINGSIDE_THREADS is '0': give a whole number from 1 to 2147483647",
        "RINGSIDE_TARGET_RATE|-1|RINGSIDE_TARGET_RATE is '-1': give a whole number from 0 to"
            + " 2147483647",
      })
  void shouldRefuseInOneLine(String name, String value, String fault) {
    environment.put(name, value);
    assertEquals(
        fault, assertThrows(OrdersException.class, () -> Orders.of(environment::get)).getMessage());
  }
}
