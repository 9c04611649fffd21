package dev.ringside.thrift;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts the connections that there are, and refuses those above the limit. From any thread. */
final class Admission {
  private final int max;
  private final Metrics metrics;
  private final AtomicInteger connections = new AtomicInteger();

  Admission(int max, Metrics metrics) {
    this.max = max;
    this.metrics = metrics;
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
    connections.decrementAndGet();
  }

  int connections() {
    return connections.get();
  }
}
