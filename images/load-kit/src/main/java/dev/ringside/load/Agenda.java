package dev.ringside.load;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What is to be done on the connections to a server until an end: one schedule for all of them. A
 * thread that is free takes what is due next, and waits until it is, so that the one that was free
 * longest does it, and no operation waits for a connection while another is free. That costs one
 * increment of a number that all threads share; a lock or a queue would cost the load's threads
 * more than most operations do.
 *
 * <p>At a constant rate everything that is due before the end is done, late if need be: what a
 * server that stands still at the end makes wait is what its slowest answers are. Only what has not
 * begun when the load's patience is over, as long after the end, is given up, and counted.
 */
final class Agenda {
  /** There is no more to do. */
  static final long OVER = Long.MIN_VALUE;

  private static final long NEVER = Long.MAX_VALUE;

  private final Pace pace;
  private final long most;
  private final long startNanos;
  private final long endNanos;
  private final long patienceNanos;
  private final AtomicLong taken = new AtomicLong();

  private Agenda(Pace pace, long most, long startNanos, long endNanos, long patienceNanos) {
    this.pace = pace;
    this.most = most;
    this.startNanos = startNanos;
    this.endNanos = endNanos;
    this.patienceNanos = patienceNanos;
  }

  /** So many operations, or batches, however long they take. */
  static Agenda of(Pace pace, long most, long startNanos) {
    return new Agenda(pace, most, startNanos, NEVER, 0);
  }

  /** What is due, or in a closed loop can begin, before that end. */
  static Agenda until(Pace pace, long startNanos, long endNanos, long patienceNanos) {
    return new Agenda(pace, NEVER, startNanos, endNanos, patienceNanos);
  }

  /** Whether there is a schedule: a constant rate. */
  boolean scheduled() {
    return pace.scheduled();
  }

  /** When the next operation is due, which is the caller's to do then; or {@link #OVER}. */
  long take(Clock clock) {
    if (scheduled()) {
      long number = taken.getAndIncrement();
      long due = startNanos + pace.due(number);
      return number < most && due < endNanos ? due : OVER;
    }
    long now = clock.nanoTime();
    return now < endNanos && (most == NEVER || taken.getAndIncrement() < most) ? now : OVER;
  }

  /** Whether it is so late that nothing begins any more that was due. */
  boolean isGivenUp(long nanos) {
    return endNanos != NEVER && scheduled() && nanos - endNanos >= patienceNanos;
  }

  /** Whether the end has come by then. */
  boolean hasEnded(long nanos) {
    return nanos >= endNanos;
  }
}
