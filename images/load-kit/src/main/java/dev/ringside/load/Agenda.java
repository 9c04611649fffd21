package dev.ringside.load;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The schedule of operations for all connections to one server, until an end. A free thread takes
 * the next due time and waits for it. So the thread that has been free longest does the operation,
 * and no operation waits for a connection while another connection is free. Taking a due time costs
 * one increment of a shared counter; a lock or a queue would cost the load's threads more than most
 * operations do.
 *
 * <p>At a constant rate, the threads do every operation that is due before the end, late if
 * necessary: the slowest answers of a server that stalls near the end are those of the operations
 * that it delayed. An operation that has not begun when the patience after the end is over is given
 * up and counted.
 *
 * <p>Safe for any number of threads.
 */
final class Agenda {
  /** Returned by {@link #take} when there is no more to do. */
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

  /** Returns an agenda of {@code most} operations, or batches, however long they take. */
  static Agenda of(Pace pace, long most, long startNanos) {
    return new Agenda(pace, most, startNanos, NEVER, 0);
  }

  /**
   * Returns an agenda of all that is due, or in a closed loop can begin, before the end.
   *
   * @param patienceNanos how long after the end an operation that was due may still begin
   */
  static Agenda until(Pace pace, long startNanos, long endNanos, long patienceNanos) {
    return new Agenda(pace, NEVER, startNanos, endNanos, patienceNanos);
  }

  /** Reports whether operations have due times: whether the rate is constant. */
  boolean scheduled() {
    return pace.scheduled();
  }

  /**
   * Takes the next operation, which the caller must do.
   *
   * @return when it is due, as {@link System#nanoTime}, or {@link #OVER}
   */
  long take(Clock clock) {
    if (scheduled()) {
      long number = taken.getAndIncrement();
      long due = startNanos + pace.due(number);
      return number < most && due < endNanos ? due : OVER;
    }
    long now = clock.nanoTime();
    return now < endNanos && (most == NEVER || taken.getAndIncrement() < most) ? now : OVER;
  }

  /** Reports whether the patience is over at that time, so that no further operation may begin. */
  boolean isGivenUp(long nanos) {
    return endNanos != NEVER && scheduled() && nanos - endNanos >= patienceNanos;
  }

  /** Reports whether that time is at or after the end. */
  boolean hasEnded(long nanos) {
    return nanos >= endNanos;
  }
}
