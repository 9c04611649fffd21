package dev.ringside.thrift;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that all connections together hold for replies that their clients have not taken.
 * Above the mark, who does not take a reply at once is cut off.
 */
final class UnsentBytes {
  private final long mark;
  private final AtomicLong bytes = new AtomicLong();

  UnsentBytes(long mark) {
    this.mark = mark;
  }

  /** Adds bytes; false if that is too many, and they are not added. */
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
