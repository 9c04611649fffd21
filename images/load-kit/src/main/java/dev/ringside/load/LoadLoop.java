package dev.ringside.load;

/** What a thread of a load does: operation after operation, until there is no more to do. */
final class LoadLoop {
  private LoadLoop() {}

  /** Where it is written down. */
  interface Book {
    /** An operation that was due then began and ended then. */
    void ended(Outcome outcome, long due, long began, long ended);

    /** An operation was due, and was given up before it began. */
    void givenUp();
  }

  /** Does what the agenda has, as long as there is a connection. */
  static void run(Clock clock, Agenda agenda, Turn turn, Book book) {
    // A connection comes first: what was taken from the agenda nobody else does.
    while (turn.open()) {
      long due = agenda.take(clock);
      if (due == Agenda.OVER) {
        return;
      }
      long began = due;
      if (agenda.scheduled()) {
        clock.sleepUntil(due);
        // A clock that wakes a thread too early must not make its wait negative.
        began = Math.max(due, clock.nanoTime());
        if (agenda.isGivenUp(began)) {
          book.givenUp();
          continue;
        }
      }
      turn.due(due);
      Outcome outcome = turn.take();
      book.ended(outcome, due, began, clock.nanoTime());
    }
  }
}
