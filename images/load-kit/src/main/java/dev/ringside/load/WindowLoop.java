package dev.ringside.load;

/**
 * One thread's part in one window. In a closed loop an operation belongs to the window in which it
 * began, at a constant rate to that in which it was due. Either way it is waited for, however long
 * it takes, so that histograms lose no slow operation; the next window, which may be another
 * server's, begins when the last is answered. So a server that stands still at its window's end
 * makes that window longer, in the log as well, and takes nothing from its neighbour: there the
 * same number is due as always, from a start that is the neighbour's own.
 *
 * <p>The thread's time counts from when it was there (at a constant rate from the window's start,
 * since operations were due from then on) to its last answer, or to the window's end if that is
 * later. In a closed loop, operations that begin before a fixed time are a renewal process that is
 * stopped at its first answer beyond it, for which Wald's identity says: expected operations ×
 * expected time of one = expected time of all. So operations ÷ the threads' time is the rate
 * without bias, where operations ÷ the window's own length would count the operation that straddles
 * the end in full and its time in part. At a constant rate it is the rate asked for, or, where the
 * server was behind at the end, that at which it did all that was due.
 */
final class WindowLoop {
  private WindowLoop() {}

  static void run(Clock clock, Window window, Agenda agenda, Turn turn, Samples into) {
    into.reset();
    long from = agenda.scheduled() ? window.start() : clock.nanoTime();
    if (!turn.open()) {
      // Each window tells that a thread of it was idle.
      into.unconnected();
    }
    WindowTimes times = new WindowTimes(agenda, into, Math.max(window.end(), from));
    LoadLoop.run(clock, agenda, turn, times);
    if (agenda.scheduled()) {
      // The last operations are due before the end, and the next window begins after it.
      clock.sleepUntil(window.end());
    }
    into.busy(times.lastNanos - from);
  }

  private static final class WindowTimes implements LoadLoop.Book {
    private final Agenda agenda;
    private final Samples into;
    private long lastNanos;

    WindowTimes(Agenda agenda, Samples into, long lastNanos) {
      this.agenda = agenda;
      this.into = into;
      this.lastNanos = lastNanos;
    }

    @Override
    public void ended(Outcome outcome, long due, long began, long ended) {
      lastNanos = Math.max(lastNanos, ended);
      into.ended(outcome, ended - began, began - due, agenda.hasEnded(began));
    }

    @Override
    public void givenUp() {
      into.givenUp();
    }
  }
}
