package dev.ringside.contract;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The resources that this process has used so far, for the counters port. The returned map may be
 * changed. A call takes a few microseconds. For one thread.
 */
public final class ProcessCounters implements Supplier<Map<String, Long>> {
  private final LongSupplier cpuNanos;
  private final List<GarbageCollectorMXBean> collectors =
      ManagementFactory.getGarbageCollectorMXBeans();

  /**
   * Creates the counters of this process.
   *
   * @param warn receives one message, here, if the exact CPU time is not available
   */
  public ProcessCounters(Consumer<String> warn) {
    cpuNanos = ProcessClock.ofOtherThreads(warn);
  }

  @Override
  public Map<String, Long> get() {
    long pauseMillis = 0;
    long collections = 0;
    for (GarbageCollectorMXBean collector : collectors) {
      pauseMillis += Math.max(0, collector.getCollectionTime());
      collections += Math.max(0, collector.getCollectionCount());
    }
    Map<String, Long> counters = new LinkedHashMap<>();
    counters.put("cpu_ns", cpuNanos.getAsLong());
    counters.put("gc_pause_ms", pauseMillis);
    counters.put("gc_count", collections);
    if (ContextSwitches.areTold()) {
      counters.put("context_switches", ContextSwitches.now());
    }
    return counters;
  }
}
