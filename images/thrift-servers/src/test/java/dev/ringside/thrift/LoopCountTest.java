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
    repeat(count, 100, 0.8, 0.8, 4, 1000);
    assertEquals(1, count.inUse());
  }

  @Test
  void shouldAddLoopsWhileOneIsBusyAndAProcessorIsIdle() {
    LoopCount count = new LoopCount(3);
    assertEquals(2, next(count, 0.95, 0.95, 1.2, 1000));
    assertEquals(3, next(count, 0.95, 1.9, 0.8, 2000));
    assertEquals(3, next(count, 0.95, 2.85, 0.8, 3000));
  }

  @Test
  void shouldAddNoLoopThatWouldTakeItsTimeFromTheClients() {
    LoopCount count = new LoopCount(2);
    repeat(count, 100, 1, 1, 0.3, 1000);
    assertEquals(1, count.inUse());
  }

  @Test
  void shouldGiveUpALoopThatIsNotNeededForASecond() {
    LoopCount count = new LoopCount(2);
    next(count, 1, 1, 1, 1000);
    repeat(count, 9, 0.3, 0.5, 1, 500);
    assertEquals(2, count.inUse());
    next(count, 0.3, 0.5, 1, 500);
    assertEquals(1, count.inUse());
  }

  @Test
  void shouldNotGiveUpALoopForAShortPause() {
    LoopCount count = new LoopCount(2);
    next(count, 1, 1, 1, 1000);
    for (int i = 0; i < 20; i++) {
      repeat(count, 9, 0.3, 0.5, 1, 500);
      next(count, 0.7, 1.3, 0.4, 500);
    }
    assertEquals(2, count.inUse());
  }

  @Test
  void shouldBeginWithOneLoopAfterARest() {
    LoopCount count = new LoopCount(3);
    next(count, 0.95, 0.95, 1.2, 1000);
    next(count, 0.95, 1.9, 0.8, 2000);
    count.rest();
    assertEquals(1, count.inUse());
    assertEquals(2, next(count, 0.95, 0.95, 1.2, 1000));
  }

  @Test
  void shouldForgetATrialInARest() {
    LoopCount count = crowded(1000);
    count.rest();
    repeat(count, 4, 1, 1, NO_IDLE, 1);
    assertEquals(1, count.inUse());
  }

  @Test
  void shouldStayWithFewerLoopsWhereTheyServeAsMany() {
    LoopCount count = crowded(1000);
    repeat(count, 4, 1, 1, NO_IDLE, 900);
    assertEquals(1, count.inUse());
    repeat(count, 100, 1, 1, NO_IDLE, 900);
    assertEquals(1, count.inUse());
  }

  @Test
  void shouldTakeATrialBackThatServesFewerRequests() {
    LoopCount count = crowded(1000);
    repeat(count, 3, 1, 1, 1, 600);
    assertEquals(1, count.inUse());
    next(count, 1, 1, 1, 600);
    assertEquals(2, count.inUse());
  }

  @Test
  void shouldTryNothingWhereNobodyElseWouldUseTheProcessor() {
    LoopCount count = new LoopCount(2);
    next(count, 1, 1, 1, 1000);
    for (int i = 0; i < 100; i++) {
      assertEquals(2, count.next(new LoopCount.Period(1, 2, NO_IDLE, 0.1, 1000)));
    }
  }

  @Test
  void shouldTryLessAndLessOftenWhatDoesNotPay() {
    LoopCount count = crowded(1000);
    int lastTrial = 0;
    int gap = 0;
    for (int period = 1; period < 2000; period++) {
      int before = count.inUse();
      int after = next(count, 1, before, NO_IDLE, 500L * before);
      if (after < before) {
        int newGap = period - lastTrial;
        assertTrue(newGap > gap || newGap > 640, period + ": " + newGap);
        gap = newGap;
        lastTrial = period;
      }
    }
    assertTrue(gap > 300, "the last gap was " + gap);
  }

  /**
   * Returns a count with two busy loops, no idle processor, and a trial with one loop that has just
   * begun.
   */
  private static LoopCount crowded(long served) {
    LoopCount count = new LoopCount(2);
    next(count, 1, 1, 1, served);
    assertEquals(2, count.inUse());
    repeat(count, 4, 1, 2, NO_IDLE, served);
    assertEquals(2, count.inUse());
    next(count, 1, 2, NO_IDLE, served);
    assertEquals(1, count.inUse());
    return count;
  }

  private static int next(LoopCount count, double busiest, double busy, double idle, long served) {
    return count.next(new LoopCount.Period(busiest, busy, idle, CLIENTS, served));
  }

  private static void repeat(
      LoopCount count, int periods, double busiest, double busy, double idle, long served) {
    for (int i = 0; i < periods; i++) {
      next(count, busiest, busy, idle, served);
    }
  }
}
