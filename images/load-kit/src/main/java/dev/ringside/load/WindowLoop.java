package dev.ringside.load;

/**
 * One thread's work in one window. In a closed loop an operation belongs to the window in which it
 * began, at a constant rate to the window in which it was due. The thread waits for each answer, so
 * that histograms include every slow operation. The next window, possibly of another server, begins
 * after the last answer.
 *
 * <p>So a server that stalls at the end of its window makes that window longer, in the log too. It
 * does not affect the next window, which has its own start and the usual number of due operations.
 *
 * <p>The thread's time begins when the thread enters the window (at a constant rate: at the start
 * of the window, because operations are due from then on). It ends with the last answer, or at the
 * end of the window if that is later. In a closed loop, operations that begin before a fixed time
 * are a renewal process that stops at the first answer after that time. By Wald's identity, the
 * expected number of operations × the expected time of one = the expected time of all. So
 * operations ÷ the threads' time is an unbiased rate. Operations ÷ the window's length would be
 * biased: it would count the operation that is in progress at the end in full, but only part of its
 * time.
 *
 * <p>At a constant rate, the result is the offered rate, or, if the server was behind at the end,
 * the rate at which it answered everything that was due.
 */
final class WindowLoop {
  private WindowLoop() {}

  static void run(Clock clock, Window window, Agenda agenda, Turn turn, Samples into) {
    into.reset();
    long from = agenda.scheduled() ? window.start() : clock.nanoTime();
    if (!turn.open()) {
      // Every window records that this thread was idle.
      into.unconnected();
    }
    WindowTimes times = new WindowTimes(agenda, into, Math.max(window.end(), from));
    LoadLoop.run(clock, agenda, turn, times);
    if (agenda.scheduled()) {
      // The last operations are due before the end; the next window must not begin before it.
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
