package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.metrics.Metrics;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts open connections, and rejects those above the limit. Thread-safe. */
public final class Admission {
  private final int max;
  private final Metrics metrics;
  private final Runnable emptied;
  private final AtomicInteger connections = new AtomicInteger();

  /**
   * Creates a counter without connections.
   *
   * @param emptied runs whenever the last open connection has ended
   */
  public Admission(int max, Metrics metrics, Runnable emptied) {
    this.max = max;
    this.metrics = metrics;
    this.emptied = emptied;
  }

  /** Counts a new connection; returns false if there are too many. */
  public boolean begins() {
    if (connections.incrementAndGet() > max) {
      connections.decrementAndGet();
      metrics.refused.increment();
      return false;
    }
    return true;
  }

  public void ended() {
    if (connections.decrementAndGet() == 0) {
      emptied.run();
    }
  }

  public int connections() {
    return connections.get();
  }
}
