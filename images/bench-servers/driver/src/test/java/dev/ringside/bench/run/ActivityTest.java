package dev.ringside.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ActivityTest {
  @Test
  void shouldReadWhatTheKernelCounts() {
    assertEquals(890_909, Activity.cpuNanos("890909 335741 4"));
    assertEquals(
        12,
        Activity.wakeups(
            List.of("Name:\tx", "voluntary_ctxt_switches:\t12", "nonvoluntary_ctxt_switches:\t7")));
  }

  @Test
  void shouldCountTheWakeupsOfAllThreads() throws Exception {
    Activity before = Activity.of(ProcessHandle.current().pid());
    Thread sleeper = new Thread(ActivityTest::sleepOften);
    sleeper.start();
    sleepOften();
    Activity after = Activity.of(ProcessHandle.current().pid());
    sleeper.join();
    assertTrue(after.wakeups() - before.wakeups() >= 50, before + " and " + after);
    assertTrue(after.cpuNanos() > before.cpuNanos(), before + " and " + after);
  }

  private static void sleepOften() {
    try {
      for (int i = 0; i < 50; i++) {
        TimeUnit.MILLISECONDS.sleep(2);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
