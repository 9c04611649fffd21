package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ringside.thrift.internal.metrics.LogThrottle;
import org.junit.jupiter.api.Test;

final class LogThrottleTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void shouldSayOnceASecondAndTellWhatWasLeftOut() {
    LogThrottle throttle = new LogThrottle(Long.MAX_VALUE - 5);
    assertEquals(0, throttle.ask(Long.MAX_VALUE - 5));
    for (int i = 0; i < 7; i++) {
      assertEquals(-1, throttle.ask(Long.MAX_VALUE + i));
    }
    assertEquals(7, throttle.ask(Long.MAX_VALUE - 5 + SECOND));
    assertEquals(0, throttle.ask(Long.MAX_VALUE - 5 + 3 * SECOND));
  }
}
