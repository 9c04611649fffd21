package dev.ringside.cassandra;

import org.apache.cassandra.metrics.HintsServiceMetrics;
import org.apache.cassandra.metrics.ReadRepairMetrics;

/**
 * Registers metrics that Cassandra registers only when they first count something. Otherwise a node
 * without hints or read repairs would have no metric instead of the value 0.
 */
final class LateMetrics {
  private LateMetrics() {}

  /** Registers the metrics. Call it once when a node starts; further calls do nothing. */
  static void register() {
    // The call initializes the class, which registers its metrics.
    HintsServiceMetrics.hintsSucceeded.getCount();
    ReadRepairMetrics.repairedBlocking.getCount();
  }
}
