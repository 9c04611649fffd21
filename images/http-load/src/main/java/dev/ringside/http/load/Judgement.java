package dev.ringside.http.load;

import dev.ringside.load.ErrorKind;
import dev.ringside.load.Outcome;

/** Determines the outcome of an operation from its answer. */
final class Judgement {
  static final Outcome HIT = Outcome.answered("hit");
  static final Outcome MISS = Outcome.answered("miss");
  static final Outcome STORED = Outcome.answered("stored");
  static final Outcome REMOVED = Outcome.answered("removed");
  static final Outcome BUSY = Outcome.unanswered("busy");

  private static final int OK = 200;
  private static final int CREATED = 201;
  private static final int ACCEPTED = 202;
  private static final int NOT_FOUND = 404;
  private static final int SERVER_ERROR = 500;
  private static final int UNAVAILABLE = 503;

  private Judgement() {}

  /**
   * Returns the outcome of a complete answer.
   *
   * @throws WrongAnswerException if a correct server would not send this answer
   */
  static Outcome of(Operation operation, Asked asked, Answer answer, Population population)
      throws WrongAnswerException {
    int status = answer.status();
    if (status == UNAVAILABLE) {
      return BUSY;
    }
    return switch (operation) {
      case WRITE -> expect(CREATED, status, STORED, answer);
      case DELETE -> expect(ACCEPTED, status, REMOVED, answer);
      case READ -> read(status, asked, answer, population);
    };
  }

  private static Outcome read(int status, Asked asked, Answer answer, Population population)
      throws WrongAnswerException {
    if (!asked.written()) {
      return expect(NOT_FOUND, status, MISS, answer);
    }
    if (status == NOT_FOUND) {
      throw new WrongAnswerException("entity " + asked.number() + " is not there");
    }
    expect(OK, status, HIT, answer);
    if (!answer.holds(population, asked.number())) {
      throw new WrongAnswerException("entity " + asked.number() + " has another value");
    }
    return HIT;
  }

  private static Outcome expect(int wanted, int status, Outcome outcome, Answer answer)
      throws WrongAnswerException {
    if (status != wanted) {
      throw new WrongAnswerException(
          status >= SERVER_ERROR ? ErrorKind.STORE_FAILED : ErrorKind.WRONG,
          "the server answers " + status + ", not " + wanted + ": " + answer.text());
    }
    return outcome;
  }
}
