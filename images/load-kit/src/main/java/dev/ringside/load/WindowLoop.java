package dev.ringside.load;

/**
 * One thread's part in one window. An operation belongs to the window in which it began: at the
 * window's end the thread begins no other, and the one under way is waited for, however long it
 * takes, so that histograms lose no slow operation.
 *
 * <p>The thread's time counts from when it was there (at a constant rate from the window's start,
 * since operations were due from then on) to its last answer, or to the window's end if that is
 * later. Operations that begin before a fixed time are a renewal process that is stopped at its
 * first answer beyond it, for which Wald's identity says: expected operations × expected time of
 * one = expected time of all. So operations ÷ the threads' time is the rate without bias, where
 * operations ÷ the window's own length would count the operation that straddles the end in full and
 * its time in part.
 */
final class WindowLoop {
  private WindowLoop() {}

  static void run(Clock clock, Pace pace, long start, long end, Turn turn, Samples into) {
    into.reset();
    long from = pace.scheduled() ? start : clock.nanoTime();
    long last = Math.max(end, from);
    if (!turn.open()) {
      // Each window tells that a thread of it was idle.
      into.ended(Outcome.failed(ErrorKind.UNCONNECTED), 0, 0);
    }
    for (long number = 0; turn.open(); number++) {
      long due = start + pace.due(number);
      if (pace.scheduled()) {
        if (due >= end) {
          break;
        }
        clock.sleepUntil(due);
      }
      long began = clock.nanoTime();
      if (began >= end) {
        // At a constant rate, what was due and could not begin is missing in the op rate.
        break;
      }
      turn.due(pace.scheduled() ? due : began);
      Outcome outcome = turn.take();
      long ended = clock.nanoTime();
      last = Math.max(last, ended);
      into.ended(outcome, ended - began, pace.scheduled() ? Math.max(0, began - due) : 0);
    }
    into.busy(last - from);
  }
}
