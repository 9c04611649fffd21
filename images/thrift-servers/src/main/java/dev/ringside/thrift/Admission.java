package dev.ringside.thrift;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts the connections that there are, and refuses those above the limit. From any thread. */
final class Admission {
  private final int max;
  private final Metrics metrics;
  private final Runnable emptied;
  private final AtomicInteger connections = new AtomicInteger();

  /**
   * @param emptied is told whenever the last connection there was has ended
   */
  Admission(int max, Metrics metrics, Runnable emptied) {
    this.max = max;
    this.metrics = metrics;
    this.emptied = emptied;
  }

  /** Counts a new connection; false if there are too many. */
  boolean begins() {
    if (connections.incrementAndGet() > max) {
      connections.decrementAndGet();
      metrics.refused.increment();
      return false;
    }
    return true;
  }

  void ended() {
    if (connections.decrementAndGet() == 0) {
      emptied.run();
    }
  }

  int connections() {
    return connections.get();
  }
}
