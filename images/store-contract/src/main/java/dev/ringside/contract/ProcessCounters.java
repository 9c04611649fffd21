package dev.ringside.contract;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * The resources that this process has used so far, for the counters port. The returned map may be
 * changed. A call takes a few microseconds. For one thread.
 */
public final class ProcessCounters implements Supplier<Map<String, Long>> {
  private final LongSupplier cpuNanos;
  private final List<GarbageCollectorMXBean> collectors;

  /**
   * Creates the counters of this process.
   *
   * @param warn receives one message, here, if the exact CPU time is not available
   */
  public ProcessCounters(Consumer<String> warn) {
    cpuNanos = ProcessClock.ofOtherThreads(warn);
    collectors =
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .filter(collector -> stopsThreads(collector.getName()))
            .collect(Collectors.toList());
  }

  /**
   * Reports whether a collector's times are pauses. ZGC and Shenandoah report cycles, in which
   * threads run, beside their pauses; ZGC before Java 17 reports cycles only.
   */
  static boolean stopsThreads(String collector) {
    return !collector.endsWith(" Cycles") && !collector.equals("ZGC");
  }

  @Override
  public Map<String, Long> get() {
    Map<String, Long> counters = new LinkedHashMap<>();
    counters.put("cpu_ns", cpuNanos.getAsLong());
    if (!collectors.isEmpty()) {
      counters.put("gc_pause_ms", sum(GarbageCollectorMXBean::getCollectionTime));
      counters.put("gc_count", sum(GarbageCollectorMXBean::getCollectionCount));
    }
    if (ContextSwitches.areTold()) {
      counters.put("context_switches", ContextSwitches.now());
    }
    return counters;
  }

  private long sum(ToLongFunction<GarbageCollectorMXBean> figure) {
    return collectors.stream()
        .mapToLong(collector -> Math.max(0, figure.applyAsLong(collector)))
        .sum();
  }
}
