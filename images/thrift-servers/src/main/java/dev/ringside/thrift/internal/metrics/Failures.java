package dev.ringside.thrift.internal.metrics;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts failures of one kind, and logs at most one line per second. Reporting a failure never
 * throws, and needs no memory where there is none: a thread that survived a lack of memory must not
 * end because it cannot say so. Thread-safe.
 */
public final class Failures {
  /** The name of the server's only logger. */
  public static final String LOGGER = "dev.ringside.thrift.TDisruptorServer";

  private static final Logger LOG = LoggerFactory.getLogger(LOGGER);

  /** Not an AtomicLongArray, of which the first use needs memory. */
  private final AtomicLong[] counts = new AtomicLong[Failure.values().length];

  private final LogThrottle lines = new LogThrottle(System.nanoTime());
  private final String server;

  /** Creates the counts of a server with that name. */
  public Failures(String server) {
    this.server = server;
    for (int i = 0; i < counts.length; i++) {
      counts[i] = new AtomicLong();
    }
  }

  /**
   * Records a failure.
   *
   * @param subject the client, or what else it concerns
   * @param method the method that it concerns, or nothing
   */
  public void add(Failure what, Object subject, String method, Throwable cause) {
    counts[what.ordinal()].incrementAndGet();
    try {
      int unsaid = lines.ask(System.nanoTime());
      if (unsaid >= 0) {
        LOG.error(
            "server {}: {}: {} {} ({} more since the last such line)",
            server,
            what.text(),
            subject,
            method,
            unsaid,
            cause);
      }
    } catch (Throwable e) {
      // It is counted.
    }
  }

  /** Returns how many there were. */
  public long sum() {
    long sum = 0;
    for (AtomicLong count : counts) {
      sum += count.get();
    }
    return sum;
  }
}
