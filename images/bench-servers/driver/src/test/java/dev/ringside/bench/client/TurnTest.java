package dev.ringside.bench.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TurnTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  /** System.nanoTime() may overflow during a window. */
  private static final long START = Long.MAX_VALUE - SECOND / 4;

  private final Turn turn = Turn.of(true, START, START + 2 * SECOND);

  @Test
  void shouldComeAtHalfOfTheWindow() {
    assertFalse(turn.isOver(START));
    assertFalse(turn.isOver(START + SECOND - 1));
    assertTrue(turn.isOver(START + SECOND));
  }

  @Test
  void shouldCountWhatIsAnsweredFromThenOn() {
    turn.look(START + SECOND / 2, 1000);
    turn.look(START + SECOND, 5000);
    turn.look(START + 2 * SECOND, 5400);
    assertEquals(500, turn.perSecond(5500, START + 2 * SECOND));
  }

  @Test
  void shouldHaveNoRateWithoutATurn() {
    Turn.NEVER.look(START + SECOND, 10);
    assertFalse(Turn.NEVER.isOver(START + SECOND));
    assertTrue(Double.isNaN(Turn.NEVER.perSecond(20, START + 2 * SECOND)));
    assertTrue(Double.isNaN(turn.perSecond(20, START + SECOND / 2)), "it has not come yet");
  }
}
