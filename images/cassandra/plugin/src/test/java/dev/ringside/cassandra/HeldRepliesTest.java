package dev.ringside.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Uses a clock that advances only during waits and requests. */
final class HeldRepliesTest {
  private long now = 17;
  private long late;
  private long held;

  private final HeldReplies replies =
      new HeldReplies(
          Share.of("0.05"),
          () -> now,
          nanos -> {
            held += nanos + late;
            now += nanos + late;
          });

  /**
   * Cycles of 20 ms are delayed at each reply, those of 2 ms at every tenth, those of 300 µs
   * rarely.
   */
  @ParameterizedTest
  @CsvSource({"20000000, 0", "2000000, 0", "300000, 0", "20000000, 3000000", "2000000, 700000"})
  void shouldMakeAConnectionSlowerByItsShareHoweverLateItWakes(long cycle, long wakesLate) {
    late = wakesLate;
    int calls = 100_000;
    for (int i = 0; i < calls; i++) {
      now += cycle;
      replies.hold();
    }
    assertEquals(0.05, held / ((calls - 1.0) * cycle), 0.0001);
  }

  @Test
  void shouldNotHoldTheFirstReply() {
    now += TimeUnit.MILLISECONDS.toNanos(400);
    replies.hold();
    assertEquals(0, held);
  }

  @Test
  void shouldOweNothingForARest() {
    replies.hold();
    now += HeldReplies.REST_NANOS;
    replies.hold();
    assertEquals(0, held);
    now += HeldReplies.REST_NANOS - 1;
    replies.hold();
    assertTrue(held > TimeUnit.MILLISECONDS.toNanos(24), () -> "held " + held);
  }
}
