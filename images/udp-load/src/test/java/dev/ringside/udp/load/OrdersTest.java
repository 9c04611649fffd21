package dev.ringside.udp.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ringside.load.OrdersAgreement;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrdersTest extends OrdersAgreement {
  OrdersTest() {
    super(Orders::of, "echo");
  }

  @ParameterizedTest
  @CsvSource({
    "32, 64, RINGSIDE_PARAM_SIZE_MIN is '32': give a whole number from 33",
    "64, 1025, datagrams of 64 to 1025 bytes",
    "64, 40, datagrams of 64 to 40 bytes"
  })
  void shouldRefuseSizesThatMakeNoSense(String min, String max, String text) {
    environment.put("RINGSIDE_PARAM_SIZE_MIN", min);
    assertRejected("RINGSIDE_PARAM_SIZE_MAX", max, text);
  }

  @ParameterizedTest
  @CsvSource({"RINGSIDE_PARAM_SIZE_MIN, 300", "RINGSIDE_PARAM_SIZE_MAX, 40"})
  void shouldLetTheOtherSizeGiveWayWhereOneIsGiven(String name, String bytes) {
    environment.put(name, bytes);
    assertEquals(
        Integer.parseInt(bytes), Orders.of(environment::get).lettersMax() + Message.HEADER_BYTES);
  }
}
