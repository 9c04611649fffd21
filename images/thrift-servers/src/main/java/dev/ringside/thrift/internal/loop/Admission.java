package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.metrics.CloseReason;
import dev.ringside.thrift.internal.metrics.Metrics;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Knows whether the server accepts connections, counts open ones, and rejects those above the
 * limit. Thread-safe.
 */
public final class Admission {
  private final int max;
  private final Metrics metrics;
  private final Runnable changed;
  private final AtomicInteger connections = new AtomicInteger();
  private volatile boolean open;

  /**
   * Creates a counter without connections, which is not open.
   *
   * @param changed runs when it has closed, and whenever the last open connection has ended
   */
  public Admission(int max, Metrics metrics, Runnable changed) {
    this.max = max;
    this.metrics = metrics;
    this.changed = changed;
  }

  /** Records that connections are accepted from now on. */
  public void open() {
    open = true;
  }

  /** Records that no more connections are accepted. */
  public void close() {
    open = false;
    changed.run();
  }

  /** Reports whether connections are accepted. */
  public boolean isOpen() {
    return open;
  }

  /** Counts a new connection; returns false if there are too many. */
  public boolean begins() {
    if (connections.incrementAndGet() > max) {
      connections.decrementAndGet();
      metrics.closings.add(CloseReason.LIMIT, "a new client", "");
      return false;
    }
    return true;
  }

  public void ended() {
    if (connections.decrementAndGet() == 0) {
      changed.run();
    }
  }

  public int connections() {
    return connections.get();
  }
}
