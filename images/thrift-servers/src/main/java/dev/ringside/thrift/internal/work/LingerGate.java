package dev.ringside.thrift.internal.work;

import java.util.concurrent.TimeUnit;

/**
 * Decides whether lingering pays. A worker that must be recalled is a sign that more connections
 * are active than there are workers. Then no worker lingers for a while, which doubles if it
 * happens again soon.
 */
public final class LingerGate {
  private static final long MIN_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long MAX_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private volatile long closedUntil;
  private volatile long pauseNanos;

  /** Reports whether a worker may begin or continue to linger. */
  public boolean isOpen(long now) {
    return pauseNanos == 0 || now - closedUntil >= 0;
  }

  /** Records that a worker was recalled. */
  public synchronized void recalled(long now) {
    boolean soon = pauseNanos != 0 && now - closedUntil < 4 * pauseNanos;
    pauseNanos = soon ? Math.min(MAX_PAUSE_NANOS, 2 * pauseNanos) : MIN_PAUSE_NANOS;
    closedUntil = now + pauseNanos;
  }
}
