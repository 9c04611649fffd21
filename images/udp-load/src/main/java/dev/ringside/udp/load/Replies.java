package dev.ringside.udp.load;

import dev.ringside.load.Outcome;
import java.util.HashSet;
import java.util.Set;

/**
 * What became of one connection's requests. Every request has one outcome. What comes beside its
 * answer (the answer to a request that was given up, or a second answer to an earlier one) is
 * counted with the next requests that are answered, one with each. For one thread.
 */
final class Replies {
  /** Answered, and nothing else came. */
  static final Outcome ECHOED = Outcome.answered("echoed");

  /** Answered; and so was, too late, a request that had been given up. */
  static final Outcome LATE = Outcome.answered("late");

  /** Answered; and so was, once more, a request that had been. */
  static final Outcome DUPLICATE = Outcome.answered("duplicate");

  /** No answer came in time. */
  static final Outcome LOST = Outcome.unanswered("lost");

  private final Set<Long> given = new HashSet<>();
  private long late;
  private long duplicate;

  /** A request was given up. */
  Outcome lost(long number) {
    given.add(number);
    return LOST;
  }

  /** An answer to an earlier request came. */
  void earlier(long number) {
    if (given.remove(number)) {
      late++;
    } else {
      duplicate++;
    }
  }

  /** A request was answered in time. */
  Outcome answered() {
    if (duplicate > 0) {
      duplicate--;
      return DUPLICATE;
    }
    if (late > 0) {
      late--;
      return LATE;
    }
    return ECHOED;
  }
}
