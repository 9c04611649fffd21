package dev.ringside.cassandra.node;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.cassandra.metrics.HintsServiceMetrics;
import org.apache.cassandra.metrics.ReadRepairMetrics;
import org.apache.cassandra.metrics.StorageMetrics;

/**
 * The events of this node that concern other nodes, hints and read repairs, by the names in
 * docs/reference/store-contract.md. Reads a few counters.
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
    events.put("read_repairs", ReadRepairMetrics.repairedBlocking.getCount());
    return events;
  }
}
