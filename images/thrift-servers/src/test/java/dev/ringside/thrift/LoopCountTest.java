package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.internal.loop.LoopCount;
import org.junit.jupiter.api.Test;

final class LoopCountTest {
  private static final double NO_IDLE = 0.02;
  private static final double CLIENTS = 0.8;

  @Test
  void shouldUseOneLoopForWhatOneCanDo() {
    LoopCount count = new LoopCount(8);
    repeat(count, 100, 0.8, 0.8, 4);
    assertEquals(1, count.inUse());
  }

  @Test
  void shouldAddLoopsWhileOneIsBusyAndAProcessorIsIdle() {
    LoopCount count = new LoopCount(3);
    assertEquals(2, next(count, 0.95, 0.95, 1.2));
    assertEquals(3, next(count, 0.95, 1.9, 0.8));
    assertEquals(3, next(count, 0.95, 2.85, 0.8));
  }

  @Test
  void shouldAddNoLoopThatWouldTakeItsTimeFromTheClients() {
    LoopCount count = new LoopCount(2);
    repeat(count, 100, 1, 1, 0.3);
    assertEquals(1, count.inUse());
  }

  @Test
  void shouldGiveUpALoopThatIsNotNeededForASecond() {
    LoopCount count = new LoopCount(2);
    next(count, 1, 1, 1);
    repeat(count, 9, 0.3, 0.5, 1);
    assertEquals(2, count.inUse());
    next(count, 0.3, 0.5, 1);
    assertEquals(1, count.inUse());
  }

  @Test
  void shouldGiveUpALoopAtOnceAfterARest() {
    LoopCount count = new LoopCount(2);
    next(count, 1, 1, 1);
    assertEquals(1, count.next(10, 0.01, 0.01, 2, 0));
  }

  @Test
  void shouldNotGiveUpALoopForAShortPause() {
    LoopCount count = new LoopCount(2);
    next(count, 1, 1, 1);
    for (int i = 0; i < 20; i++) {
      repeat(count, 9, 0.3, 0.5, 1);
      next(count, 0.7, 1.3, 0.4);
    }
    assertEquals(2, count.inUse());
  }

  @Test
  void shouldGiveUpALoopWhereClientsNeedTheProcessor() {
    LoopCount count = new LoopCount(2);
    next(count, 1, 1, 1);
    repeat(count, 4, 1, 2, NO_IDLE);
    assertEquals(2, count.inUse());
    repeat(count, 100, 1, 1, NO_IDLE);
    assertEquals(1, count.inUse());
  }

  @Test
  void shouldKeepALoopWhereNobodyElseWouldUseTheProcessor() {
    LoopCount count = new LoopCount(2);
    next(count, 1, 1, 1);
    for (int i = 0; i < 100; i++) {
      assertEquals(2, count.next(1, 1, 2, NO_IDLE, 0.1));
    }
  }

  /** The processor that it frees is idle then, so the loop comes back. */
  @Test
  void shouldGiveUpLessAndLessOftenWhatDoesNotPay() {
    LoopCount count = new LoopCount(2);
    next(count, 1, 1, 1);
    int last = 0;
    int gap = 0;
    for (int period = 1; period < 4000; period++) {
      int before = count.inUse();
      next(count, 1, before, before == 2 ? NO_IDLE : 1);
      if (count.inUse() < before) {
        int newGap = period - last;
        assertTrue(newGap > gap || newGap > 640, period + ": " + newGap);
        gap = newGap;
        last = period;
      }
    }
    assertTrue(gap > 300, "the last gap was " + gap);
  }

  private static int next(LoopCount count, double busiest, double busy, double idle) {
    return count.next(1, busiest, busy, idle, CLIENTS);
  }

  private static void repeat(
      LoopCount count, int periods, double busiest, double busy, double idle) {
    for (int i = 0; i < periods; i++) {
      next(count, busiest, busy, idle);
    }
  }
}
