package dev.ringside.contract;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

final class ProcessCountersTest {
  @Test
  void shouldTellWhatOtherThreadsUsedFinerThanInTicksOfTenMilliseconds() throws Exception {
    ProcessCounters counters = new ProcessCounters(Assertions::fail);
    long before = counters.get().get("cpu_ns");
    Thread worker = new Thread(ProcessCountersTest::burnThreeMillis);
    worker.start();
    worker.join();
    long used = counters.get().get("cpu_ns") - before;
    assertTrue(used >= TimeUnit.MILLISECONDS.toNanos(3), used + " ns");
    assertTrue(counters.get().get("cpu_ns") % TimeUnit.MILLISECONDS.toNanos(10) != 0);
    assertTrue(
        counters.get().keySet().containsAll(Set.of("gc_pause_ms", "gc_count", "context_switches")));
  }

  private static void burnThreeMillis() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long end = threads.getCurrentThreadCpuTime() + TimeUnit.MILLISECONDS.toNanos(3);
    while (threads.getCurrentThreadCpuTime() < end) {
      Thread.onSpinWait();
    }
  }

  /** Names of collectors in Java 11 and 17. */
  @Test
  void shouldCountOnlyTimesInWhichThreadsStop() {
    assertTrue(ProcessCounters.stopsThreads("G1 Young Generation"));
    assertTrue(ProcessCounters.stopsThreads("ConcurrentMarkSweep"));
    assertTrue(ProcessCounters.stopsThreads("ZGC Pauses"));
    assertTrue(ProcessCounters.stopsThreads("Shenandoah Pauses"));
    assertFalse(ProcessCounters.stopsThreads("ZGC Cycles"));
    assertFalse(ProcessCounters.stopsThreads("Shenandoah Cycles"));
    assertFalse(ProcessCounters.stopsThreads("ZGC"));
  }
}
