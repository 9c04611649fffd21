package dev.ringside.thrift;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lets something be said at most once a second, and tells how often it was not said meanwhile: what
 * a stranger can cause at will must not fill the log. Lock-free.
 */
final class Seldom {
  private static final long PERIOD_NANOS = 1_000_000_000L;

  private final AtomicLong next;
  private final AtomicInteger unsaid = new AtomicInteger();

  /**
   * @param now System.nanoTime()
   */
  Seldom(long now) {
    next = new AtomicLong(now);
  }

  /**
   * Asks to say it now.
   *
   * @return how often it was not said since it was last said, or -1 if it is not to be said
   */
  int ask(long now) {
    long due = next.get();
    if (now - due >= 0 && next.compareAndSet(due, now + PERIOD_NANOS)) {
      return unsaid.getAndSet(0);
    }
    unsaid.incrementAndGet();
    return -1;
  }
}
