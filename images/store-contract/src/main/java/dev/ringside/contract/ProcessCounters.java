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
 * What this process used so far, for the counters port; a map that may be added to. A few
 * microseconds. For one thread.
 */
public final class ProcessCounters implements Supplier<Map<String, Long>> {
  private final LongSupplier cpuNanos;
  private final List<GarbageCollectorMXBean> collectors =
      ManagementFactory.getGarbageCollectorMXBeans();

  /**
   * Of this process.
   *
   * @param warn told once, here, if its CPU time cannot be had exactly
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
