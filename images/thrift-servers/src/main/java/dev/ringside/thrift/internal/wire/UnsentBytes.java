package dev.ringside.thrift.internal.wire;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the memory that all connections together hold for replies that clients have not read.
 * Above the limit, a client that does not accept a reply at once is disconnected.
 */
public final class UnsentBytes {
  private final long mark;
  private final AtomicLong bytes = new AtomicLong();

  public UnsentBytes(long mark) {
    this.mark = mark;
  }

  /** Adds bytes, or returns false and adds none if they exceed the limit. */
  public boolean tryAdd(long more) {
    if (bytes.addAndGet(more) <= mark) {
      return true;
    }
    bytes.addAndGet(-more);
    return false;
  }

  public void remove(long less) {
    bytes.addAndGet(-less);
  }

  public long get() {
    return bytes.get();
  }
}
