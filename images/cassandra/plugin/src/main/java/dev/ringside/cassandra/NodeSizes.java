package dev.ringside.cassandra;

import java.util.Collections;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.apache.cassandra.db.compaction.CompactionManager;

/**
 * The present sizes of this node, by the names in docs/reference/store-contract.md: the compactions
 * that run or that the strategies of all tables still estimate. Reads every table.
 */
final class NodeSizes implements Supplier<Map<String, Long>> {
  private final IntSupplier pendingCompactions;

  NodeSizes() {
    // Its class needs the settings of a running node, which exist when the first client asks.
    this(() -> CompactionManager.instance.getPendingTasks());
  }

  NodeSizes(IntSupplier pendingCompactions) {
    this.pendingCompactions = pendingCompactions;
  }

  @Override
  public Map<String, Long> get() {
    return Collections.singletonMap("pending_compactions", (long) pendingCompactions.getAsInt());
  }
}
