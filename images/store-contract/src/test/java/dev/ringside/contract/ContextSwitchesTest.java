package dev.ringside.contract;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

final class ContextSwitchesTest {
  private static final int NAPS = 50;

  @Test
  void shouldCountThreadsThatWaitEvenWhereTheyHaveEnded() throws Exception {
    assertTrue(ContextSwitches.areTold());
    long before = ContextSwitches.now();
    Thread sleeper = new Thread(ContextSwitchesTest::nap);
    sleeper.start();
    sleeper.join();
    long switches = ContextSwitches.now() - before;
    assertTrue(switches >= NAPS, switches + " switches in " + NAPS + " naps");
  }

  private static void nap() {
    for (int i = 0; i < NAPS; i++) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }
}
