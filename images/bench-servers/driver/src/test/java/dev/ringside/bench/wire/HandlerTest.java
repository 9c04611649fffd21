package dev.ringside.bench.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HandlerTest {
  @ParameterizedTest
  @CsvSource({
    "at-once, 0, 0, false",
    "at-once-64k, 0, 0, false",
    "at-once-1m, 0, 0, false",
    "cpu-100us, 1, 1, false",
    "sleep-1ms, 1, 1, false",
    "1pct-20ms, 0.01, 0.01, false",
    "socket-1ms, 1, 1, false",
    "turns-slow, 0, 1, true"
  })
  void shouldBeSlowInAShareOfItsCalls(String id, double share, double turned, boolean turns) {
    Handler handler = Handler.of(id);
    assertEquals(share, handler.share(false));
    assertEquals(turned, handler.share(true));
    assertEquals(turns, handler.turns());
    assertEquals(turned == 0, handler.delay() == Delay.NONE);
    assertEquals(turned == 0, handler.isAtOnce());
  }
}
