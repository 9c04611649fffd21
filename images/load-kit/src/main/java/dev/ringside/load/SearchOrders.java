package dev.ringside.load;

import java.util.Collections;
import java.util.List;
import java.util.Random;

/** How a load searches for a capacity, read from the environment. */
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
  private final int batch;
  private final int from;
  private final int most;
  private final double precision;
  private final long stepNanos;

  /**
   * Reads the settings. Errors are added to the source.
   *
   * @param batch operations that end together; a batch counts as one value of a percentile
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
    // The highest rate to try; the capacity of a server that meets the objective there is not
    // known. By default a search continues until a step does not meet the objective or the time is
    // over.
    most = in.number("RINGSIDE_CAPACITY_TO", 1, Integer.MAX_VALUE);
    if (most < from) {
      in.refuse("RINGSIDE_CAPACITY_TO is " + most + ": it is less than RINGSIDE_CAPACITY_FROM");
    }
    precision = in.number("RINGSIDE_CAPACITY_PRECISION_PERMILLE", 1, 50) / PERMILLE;
    stepNanos = NANOS_PER_MILLI * in.number("RINGSIDE_CAPACITY_STEP_MILLIS", 1, 5_000);
    if (in.number("RINGSIDE_TARGET_RATE", 0, 0) > 0) {
      in.refuse("RINGSIDE_TARGET_RATE is set: a search for a capacity chooses its own rates");
    }
    if (in.has("RINGSIDE_OPERATIONS")) {
      in.refuse("a search for a capacity takes RINGSIDE_DURATION_SECONDS, no RINGSIDE_OPERATIONS");
    }
  }

  /** Returns the counters that make up the queue; null if the objective is another one. */
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
      // reported below, with the same message
    }
    in.refuse(PERCENTILE + " is '" + value + "': give a number between 0 and 100");
    return 50;
  }

  Objective objective() {
    return objective;
  }

  /** Returns the counters that make up the queue; null if no queue is sampled. */
  QueueTerms queue() {
    return queue;
  }

  /** Returns the counters ports of the store's pods; empty if no queue is sampled. */
  List<Endpoint> counters() {
    return counters;
  }

  /** Returns a search that begins at a random rate. */
  Staircase staircase(Random random) {
    return Staircase.dithered(from, most, precision, random);
  }

  /** Returns the rate of the warm-up, and the lowest one of a first step. */
  int from() {
    return from;
  }

  /**
   * Returns the length of a step, in nanoseconds: long enough for a reliable verdict, and at least
   * the length that the settings ask for.
   */
  long stepNanos(int rate) {
    return Math.max(
        stepNanos, (long) Math.ceil(batch * objective.operations() * NANOS_PER_SECOND / rate));
  }

  /**
   * Returns the number of operations in the whole batches of a step. At least that number is due in
   * it, and at most one batch more.
   */
  long stepOperations(int rate) {
    return batch * (long) Math.floor(rate * (stepNanos(rate) / NANOS_PER_SECOND) / batch);
  }
}
