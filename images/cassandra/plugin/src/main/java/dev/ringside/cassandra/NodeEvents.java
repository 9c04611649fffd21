package dev.ringside.cassandra;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.cassandra.metrics.HintsServiceMetrics;
import org.apache.cassandra.metrics.ReadRepairMetrics;
import org.apache.cassandra.metrics.StorageMetrics;

/**
 * What this node did for others so far: hints and read repairs, by the names of charts/README.md.
 * Reads a handful of counters.
 */
final class NodeEvents implements Supplier<Map<String, Long>> {
  @Override
  public Map<String, Long> get() {
    Map<String, Long> events = new LinkedHashMap<>();
    events.put("hints_kept", StorageMetrics.totalHints.getCount());
    events.put("hints_delivered", HintsServiceMetrics.hintsSucceeded.getCount());
    events.put(
        "hints_failed",
        HintsServiceMetrics.hintsFailed.getCount() + HintsServiceMetrics.hintsTimedOut.getCount());
    events.put(
        "read_repairs",
        ReadRepairMetrics.repairedBlocking.getCount()
            + ReadRepairMetrics.repairedBackground.getCount());
    return events;
  }
}
