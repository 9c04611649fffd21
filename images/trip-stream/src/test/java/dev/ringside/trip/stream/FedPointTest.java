package dev.ringside.trip.stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class FedPointTest {
  private static final Point POINT =
      new Point(Long.MIN_VALUE + 1, 7, PointKind.END, Integer.MIN_VALUE, -1, 1_700_000_000_123L);

  @Test
  void shouldComeOutAsItWentIn() throws Exception {
    FedPoint fed = new FedPoint(-42, POINT);
    assertEquals(fed, FedPoint.of(fed.value()));
  }

  @Test
  void shouldHaveItsTripsNumberForAKey() {
    assertArrayEquals(new byte[] {(byte) 0x80, 0, 0, 0, 0, 0, 0, 1}, new FedPoint(1, POINT).key());
  }

  @Test
  void shouldRefuseWhatIsNoPoint() {
    byte[] value = new FedPoint(1, POINT).value();
    assertThrows(StreamFaultException.class, () -> FedPoint.of(null));
    assertThrows(
        StreamFaultException.class, () -> FedPoint.of(Arrays.copyOf(value, value.length - 1)));
    int kind = Long.BYTES + Long.BYTES + Integer.BYTES;
    value[kind] = (byte) PointKind.ASK.ordinal();
    assertThrows(StreamFaultException.class, () -> FedPoint.of(value), "a question");
    value[kind] = (byte) PointKind.values().length;
    assertThrows(StreamFaultException.class, () -> FedPoint.of(value), "a kind that there is not");
  }
}
