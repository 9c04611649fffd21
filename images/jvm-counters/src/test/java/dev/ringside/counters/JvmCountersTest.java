package dev.ringside.counters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.OperatingSystemMXBean;
import dev.ringside.contract.ProcessCounters;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class JvmCountersTest {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final OperatingSystemMXBean PROCESS =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private final JvmCounters counters = new JvmCounters(Assertions::fail);

  @Test
  void shouldCountAThreadsTimeInItsGroupAndInTheProcess() throws Exception {
    CountDownLatch used = new CountDownLatch(1);
    CountDownLatch read = new CountDownLatch(1);
    AtomicLong nanos = new AtomicLong();
    Map<String, Long> before = counters.get();
    Thread reader =
        new Thread(
            () -> {
              nanos.set(burn(50));
              used.countDown();
              await(read);
            },
            "ReadStage-1");
    reader.start();
    used.await();
    Map<String, Long> after = counters.get();
    read.countDown();
    reader.join();
    long group = after.get("cpu_request_ns") - before.getOrDefault("cpu_request_ns", 0L);
    // The start of the thread and the latch add to it.
    assertTrue(group >= nanos.get() && group < nanos.get() + 20_000_000, group + " of " + nanos);
    assertTrue(after.get("cpu_ns") - before.get("cpu_ns") >= group);
    assertEquals(
        after.get("cpu_request_ns"),
        counters.get().get("cpu_request_ns"),
        "it ended; its time stays");
  }

  /**
   * A clock with a resolution of 10 ms would have the same value at most readings, a millisecond of
   * CPU time apart.
   */
  @Test
  void shouldKnowTheProcesssTimeFinerThanTheKernelsTicks() throws Exception {
    ProcessCounters counters = new ProcessCounters(Assertions::fail);
    LongSupplier clock = () -> counters.get().get("cpu_ns");
    AtomicBoolean over = new AtomicBoolean();
    AtomicLong burnt = new AtomicLong();
    Thread other =
        new Thread(
            () -> {
              while (!over.get()) {
                burn(1);
                burnt.incrementAndGet();
              }
            });
    other.start();
    Set<Long> values = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      values.add(clock.getAsLong());
      for (long seen = burnt.get(); burnt.get() == seen; ) {
        Thread.sleep(1);
      }
    }
    long before = clock.getAsLong();
    over.set(true);
    other.join();
    assertTrue(values.size() > 25, values.size() + " of 50 readings were new");
    assertTrue(clock.getAsLong() >= before);
  }

  /** Compared with the process's clock, because the JVM's own threads use CPU time too. */
  @Test
  void shouldLeaveOutWhatTheReadingItselfTakes() {
    counters.get();
    long processBefore = PROCESS.getProcessCpuTime();
    long before = counters.get().get("cpu_ns");
    long used = burn(400);
    long others = counters.get().get("cpu_ns") - before;
    long process = PROCESS.getProcessCpuTime() - processBefore;
    // A tenth, because the process's clock may have a resolution of 10 ms.
    assertTrue(
        others <= process - used + used / 10,
        others + " of " + process + " while the reader used " + used);
  }

  @Test
  void shouldTellWhatDisksReadAndWrote() {
    Map<String, Long> before = counters.get();
    Map<String, Long> after = counters.get();
    for (String name : new String[] {"read_bytes", "written_bytes"}) {
      assertTrue(after.get(name) >= before.get(name), name);
    }
  }

  @Test
  void shouldTellCollectionsAndTheirPauses() {
    Map<String, Long> before = counters.get();
    for (int i = 0; i < 5; i++) {
      System.gc();
    }
    Map<String, Long> after = counters.get();
    assertTrue(after.get("gc_count") >= before.get("gc_count") + 5);
    assertTrue(after.get("gc_pause_ms") > before.get("gc_pause_ms"));
    assertTrue(after.get("cpu_gc_ns") > before.get("cpu_gc_ns"), after::toString);
    assertTrue(after.get("cpu_compiler_ns") >= before.get("cpu_compiler_ns"), after::toString);
  }

  @Test
  void shouldCountNoTimeTwice() {
    for (int i = 0; i < 20; i++) {
      Map<String, Long> now = counters.get();
      long groups = 0;
      for (CpuGroup group : CpuGroup.values()) {
        groups += now.getOrDefault(group.counter(), 0L);
      }
      assertTrue(groups <= now.get("cpu_ns"), now::toString);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Uses that much CPU time on this thread and returns the exact time in ns. */
  private static long burn(long millis) {
    long from = THREADS.getCurrentThreadCpuTime();
    long used = 0;
    while (used < TimeUnit.MILLISECONDS.toNanos(millis)) {
      used = THREADS.getCurrentThreadCpuTime() - from;
    }
    return used;
  }
}
