package dev.ringside.cassandra;

import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * How long the replies of one connection are held: together a share of the time from each reply to
 * the next. That time is counted from the moment a reply goes out to the moment the next one is
 * ready, so it has in it what the client and the network take, and not what is held.
 *
 * <p>What is owed is paid in pieces of a millisecond at least, and by what was really waited: a
 * thread that wakes late, as on a machine that is busy, has paid more, and the next replies go out
 * at once until that is made up for. A client that asked nothing for half a second was resting, and
 * owes nothing for it.
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
   * @param clock nanoseconds from some moment
   * @param wait waits so many nanoseconds, or longer
   */
  HeldReplies(Share share, LongSupplier clock, LongConsumer wait) {
    this.share = share;
    this.clock = clock;
    this.wait = wait;
  }

  /** To be called when a reply is ready; once it returns, the reply may go. */
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
