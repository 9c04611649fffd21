package dev.ringside.cassandra;

import org.apache.cassandra.metrics.HintsServiceMetrics;
import org.apache.cassandra.metrics.ReadRepairMetrics;

/**
 * Metrics that Cassandra registers when they first count something. Until then a node without
 * hints, or without repairs, shows nothing where it should show 0.
 */
final class LateMetrics {
  private LateMetrics() {}

  /** Registers them. To be called once by a node that starts; again, it does nothing. */
  static void register() {
    // Asking a class initialises it, which registers what it has.
    HintsServiceMetrics.hintsSucceeded.getCount();
    ReadRepairMetrics.repairedBlocking.getCount();
  }
}
