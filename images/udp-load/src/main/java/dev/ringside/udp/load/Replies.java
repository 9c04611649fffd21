package dev.ringside.udp.load;

import dev.ringside.load.Outcome;
import java.util.HashSet;
import java.util.Set;

/**
 * Determines the outcomes of one connection's requests. Each request has one outcome. Extra answers
 * (late ones to requests that timed out, duplicates of earlier ones) are counted with the next
 * answered requests, one with each. For one thread.
 */
final class Replies {
  /** Answered, with no extra answer. */
  static final Outcome ECHOED = Outcome.answered("echoed");

  /** Answered; also counts a late answer to a request that timed out. */
  static final Outcome LATE = Outcome.answered("late");

  /** Answered; also counts a duplicate answer to an earlier request. */
  static final Outcome DUPLICATE = Outcome.answered("duplicate");

  /** No answer in time. */
  static final Outcome LOST = Outcome.unanswered("lost");

  private final Set<Long> given = new HashSet<>();
  private long late;
  private long duplicate;

  /** Records a request that timed out. */
  Outcome lost(long number) {
    given.add(number);
    return LOST;
  }

  /** Records an answer to an earlier request. */
  void earlier(long number) {
    if (given.remove(number)) {
      late++;
    } else {
      duplicate++;
    }
  }

  /** Returns the outcome of a request that was answered in time. */
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
