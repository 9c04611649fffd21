package dev.ringside.load;

/** The loop of a thread of a load: it does operation after operation until the agenda is empty. */
final class LoadLoop {
  private LoadLoop() {}

  /** Receives the results of operations. */
  interface Book {
    /** Records an operation; all times are those of the {@link Clock}. */
    void ended(Outcome outcome, long due, long began, long ended);

    /** Records an operation that was due and was given up before it began. */
    void givenUp();
  }

  /** Takes operations from the agenda and does them while a connection is open. */
  static void run(Clock clock, Agenda agenda, Turn turn, Book book) {
    // Check the connection first: no other thread does what this one took from the agenda.
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
