package dev.ringside.cassandra;

import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Delays the replies of one connection, in total by a share of the time between replies. That time
 * runs from the moment a reply is sent until the next one is ready. So it includes the client and
 * the network, but no delay.
 *
 * <p>Delays are made in pieces of at least a millisecond and are accounted as long as they really
 * took. A thread that wakes late, for example on a busy machine, has waited for later delays too,
 * and the next replies are sent at once until the sum is right. After half a second without a
 * request, the client counts as idle, and the pause adds no delay.
 *
 * <p>For one thread.
 */
final class HeldReplies {
  static final long PIECE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Share share;
  private final LongSupplier clock;
  private final LongConsumer wait;
  private boolean replied;
  private long sent;
  private long owed;

  /**
   * Creates the object.
   *
   * @param clock returns nanoseconds since some fixed time
   * @param wait waits for that number of nanoseconds, or longer
   */
  HeldReplies(Share share, LongSupplier clock, LongConsumer wait) {
    this.share = share;
    this.clock = clock;
    this.wait = wait;
  }

  /** Delays a reply. Call it when the reply is ready; when it returns, the reply may be sent. */
  void hold() {
    long ready = clock.getAsLong();
    if (replied && ready - sent < REST_NANOS) {
      owed += share.of(ready - sent);
    }
    replied = true;
    sent = ready;
    if (owed >= PIECE_NANOS) {
      wait.accept(owed);
      sent = clock.getAsLong();
      owed -= sent - ready;
    }
  }
}
