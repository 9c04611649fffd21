package dev.ringside.thrift;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts failures of one kind, and logs at most one line per second. Reporting a failure never
 * throws, and needs no memory where there is none: a thread that survived a lack of memory must not
 * end because it cannot say so. Thread-safe.
 */
final class Failures {
  private static final Logger LOG = LoggerFactory.getLogger(TDisruptorServer.class);

  private final AtomicLong total = new AtomicLong();
  private final Seldom lines = new Seldom(System.nanoTime());

  /**
   * Records a failure.
   *
   * @param what what failed and what follows, as the beginning of a log line
   * @param subject the server or client that it concerns
   */
  void add(String what, Object subject, Throwable cause) {
    total.incrementAndGet();
    try {
      int unsaid = lines.ask(System.nanoTime());
      if (unsaid >= 0) {
        LOG.error("{}: {} ({} more since the last such line)", what, subject, unsaid, cause);
      }
    } catch (Throwable e) {
      // It is counted.
    }
  }

  /** Returns how many there were. */
  long sum() {
    return total.get();
  }
}
