package dev.ringside.bench.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HandlerTest {
  private static final int CALLS = 100_000;

  @ParameterizedTest
  @CsvSource({
    "at-once, 0, 0, false",
    "at-once-64k, 0, 0, false",
    "at-once-1m, 0, 0, false",
    "cpu-100us, 100, 100, false",
    "sleep-1ms, 100, 100, false",
    "1pct-20ms, 1, 1, false",
    "socket-1ms, 100, 100, false",
    "turns-slow, 0, 100, true"
  })
  void shouldBeSlowInAShareOfItsCalls(String id, int percent, int percentTurned, boolean turns) {
    Handler handler = Handler.of(id);
    assertEquals(percent, slow(handler, false), 0.2);
    assertEquals(percentTurned, slow(handler, true), 0.2);
    assertEquals(turns, handler.turns());
    assertEquals(percent == 0 && percentTurned == 0, handler.isAtOnce());
  }

  private static double slow(Handler handler, boolean turned) {
    SplittableRandom random = new SplittableRandom(7);
    return IntStream.range(0, CALLS)
            .filter(call -> handler.next(random, turned) != Delay.NONE)
            .count()
        * 100.0
        / CALLS;
  }
}
