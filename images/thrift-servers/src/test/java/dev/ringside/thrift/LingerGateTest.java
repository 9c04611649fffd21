package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.internal.work.LingerGate;
import org.junit.jupiter.api.Test;

final class LingerGateTest {
  private static final long MILLI = 1_000_000;

  private final LingerGate gate = new LingerGate();

  @Test
  void shouldBeOpenUntilAWorkerIsRecalled() {
    assertTrue(gate.isOpen(Long.MIN_VALUE));
    assertTrue(gate.isOpen(Long.MAX_VALUE));
    gate.recalled(0);
    assertFalse(gate.isOpen(0));
    assertTrue(gate.isOpen(10 * MILLI));
  }

  @Test
  void shouldStayClosedForLongerIfItHappensAgainSoon() {
    long now = 0;
    for (long pause : new long[] {10, 20, 40, 80, 100, 100}) {
      gate.recalled(now);
      long opens = now;
      while (!gate.isOpen(opens)) {
        opens += MILLI;
      }
      assertEquals(pause, (opens - now) / MILLI);
      now = opens;
    }
    gate.recalled(now + 10_000 * MILLI);
    assertTrue(gate.isOpen(now + 10_010 * MILLI));
  }
}
