package dev.ringside.thrift.internal.metrics;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the connections that ended, by reason, and logs at most one line per reason and second.
 * Never throws, and needs no memory where there is none. Thread-safe.
 */
public final class Closings {
  private static final Logger LOG = LoggerFactory.getLogger(Failures.LOGGER);
  private static final CloseReason[] REASONS = CloseReason.values();

  private final AtomicLong[] counts = new AtomicLong[REASONS.length];
  private final LogThrottle[] lines = new LogThrottle[REASONS.length];
  private final String server;

  /** Creates the counts of a server with that name. */
  public Closings(String server) {
    this.server = server;
    for (int i = 0; i < REASONS.length; i++) {
      counts[i] = new AtomicLong();
      lines[i] = new LogThrottle(System.nanoTime());
    }
  }

  /**
   * Records the end of a connection.
   *
   * @param detail what exactly happened, or nothing
   */
  public void add(CloseReason reason, Object client, String detail) {
    counts[reason.ordinal()].incrementAndGet();
    try {
      int unsaid = reason.warns() ? lines[reason.ordinal()].ask(System.nanoTime()) : -1;
      if (unsaid >= 0) {
        LOG.warn(
            "server {} closes the connection of {}, because {} ({} more since the last such line)"
                + " {}",
            server,
            client,
            reason.text(),
            unsaid,
            detail);
      }
    } catch (Throwable e) {
      // It is counted. There is no memory for the line, or the logger fails.
    }
  }

  public long count(CloseReason reason) {
    return counts[reason.ordinal()].get();
  }
}
