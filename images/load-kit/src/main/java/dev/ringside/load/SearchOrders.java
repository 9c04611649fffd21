package dev.ringside.load;

import java.util.Collections;
import java.util.List;

/** How a capacity is searched for, read from the environment. */
final class SearchOrders {
  static final String PERCENTILE = "RINGSIDE_CAPACITY_PERCENTILE";

  private static final String BOUND = "RINGSIDE_CAPACITY_BOUND_MICROS";
  private static final String QUEUE = "RINGSIDE_CAPACITY_QUEUE";

  private static final double PERMILLE = 1000;
  private static final long NANOS_PER_MICRO = 1_000;
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Objective objective;
  private final QueueTerms queue;
  private final List<Endpoint> counters;
  private final Staircase staircase;
  private final int batch;
  private final int from;
  private final long stepNanos;

  /**
   * Reads them; what is wrong is noted in the source.
   *
   * @param batch operations that end together, and say no more of a percentile than one
   */
  SearchOrders(OrderSource in, int batch) {
    this.batch = batch;
    queue = queue(in);
    counters = queue == null ? Collections.emptyList() : in.endpoints(Interleaving.COUNTERS);
    double percentile = percentile(in);
    Delivery delivery = new Delivery(in.number("RINGSIDE_CAPACITY_FAILED_PERMILLE", 0, 0));
    objective =
        queue == null
            ? new LatencyObjective(percentile, NANOS_PER_MICRO * in.number(BOUND, 1), delivery)
            : new QueueObjective(percentile, delivery);
    from = in.number("RINGSIDE_CAPACITY_FROM", 1);
    // The highest rate to try. A server that keeps the objective there has its capacity beyond it;
    // without it, a search goes on until a step is missed or the time is up.
    int most = in.number("RINGSIDE_CAPACITY_TO", 1, Integer.MAX_VALUE);
    if (most < from) {
      in.refuse("RINGSIDE_CAPACITY_TO is " + most + ": it is less than RINGSIDE_CAPACITY_FROM");
    }
    int precision = in.number("RINGSIDE_CAPACITY_PRECISION_PERMILLE", 1, 50);
    staircase = new Staircase(from, most, precision / PERMILLE);
    stepNanos = NANOS_PER_MILLI * in.number("RINGSIDE_CAPACITY_STEP_MILLIS", 1, 5_000);
    if (in.number("RINGSIDE_TARGET_RATE", 0, 0) > 0) {
      in.refuse("RINGSIDE_TARGET_RATE is set: a search for a capacity chooses its own rates");
    }
    if (in.has("RINGSIDE_OPERATIONS")) {
      in.refuse("a search for a capacity takes RINGSIDE_DURATION_SECONDS, no RINGSIDE_OPERATIONS");
    }
  }

  /** What makes the queue that is not to grow; null where the objective is another. */
  private static QueueTerms queue(OrderSource in) {
    if (!in.has(QUEUE)) {
      return null;
    }
    if (in.has(BOUND)) {
      in.refuse("set one of " + BOUND + " and " + QUEUE);
    }
    try {
      return QueueTerms.of(in.text(QUEUE, ""));
    } catch (IllegalArgumentException e) {
      in.refuse(QUEUE + " is " + e.getMessage());
      return null;
    }
  }

  private static double percentile(OrderSource in) {
    String value = in.text(PERCENTILE, "");
    try {
      double percentile = Double.parseDouble(value);
      if (percentile > 0 && percentile < 100) {
        return percentile;
      }
    } catch (NumberFormatException e) {
      // answered below, with the same words
    }
    in.refuse(PERCENTILE + " is '" + value + "': give a number between 0 and 100");
    return 50;
  }

  Objective objective() {
    return objective;
  }

  /** Which counters make the queue that is watched; null where none is. */
  QueueTerms queue() {
    return queue;
  }

  /** Where the store's pods tell it. */
  List<Endpoint> counters() {
    return counters;
  }

  Staircase staircase() {
    return staircase;
  }

  /** The rate that the search begins with, and its warm-up has. */
  int from() {
    return from;
  }

  /**
   * A step lasts as long as it takes for the objective to say something, and never less than asked.
   */
  long stepNanos(int rate) {
    return Math.max(
        stepNanos, (long) Math.ceil(batch * objective.operations() * NANOS_PER_SECOND / rate));
  }

  /** The whole batches of a step: so many are due in it at least, and at most one more. */
  long stepOperations(int rate) {
    return batch * (long) Math.floor(rate * (stepNanos(rate) / NANOS_PER_SECOND) / batch);
  }
}
