package dev.ringside.thrift;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the memory that all connections together hold for replies that clients have not read.
 * Above the limit, a client that does not accept a reply at once is disconnected.
 */
final class UnsentBytes {
  private final long mark;
  private final AtomicLong bytes = new AtomicLong();

  UnsentBytes(long mark) {
    this.mark = mark;
  }

  /** Adds bytes, or returns false and adds none if they exceed the limit. */
  boolean tryAdd(long more) {
    if (bytes.addAndGet(more) <= mark) {
      return true;
    }
    bytes.addAndGet(-more);
    return false;
  }

  void remove(long less) {
    bytes.addAndGet(-less);
  }

  long get() {
    return bytes.get();
  }
}
