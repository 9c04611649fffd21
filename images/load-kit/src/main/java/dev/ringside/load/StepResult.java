package dev.ringside.load;

import org.HdrHistogram.Histogram;

/** The results of a server at one rate, in one step of a search. */
final class StepResult {
  private final long asked;
  private final long patienceNanos;
  private final WindowSum sum;
  private final QueueTrend queue;

  /**
   * Creates the results of a step.
   *
   * @param asked operations that were due in it
   * @param patienceNanos how long after the end of the step due operations could still begin
   * @param queue the trend of the queue; known only if the queue was sampled
   */
  StepResult(long asked, long patienceNanos, WindowSum sum, QueueTrend queue) {
    this.asked = asked;
    this.patienceNanos = patienceNanos;
    this.sum = sum;
    this.queue = queue;
  }

  long asked() {
    return asked;
  }

  /** Returns the counts of the outcomes. */
  Tally tally() {
    return sum.tally();
  }

  long answered() {
    return sum.tally().answered();
  }

  long failed() {
    return sum.tally().failed();
  }

  long unanswered() {
    return sum.tally().unanswered();
  }

  /** Returns the number of operations that were due in the step and began in it. */
  long begunInTime() {
    return answered() + failed() + unanswered() - sum.late();
  }

  /**
   * Returns the number of operations that were due in the step and did not begin within the
   * patience.
   */
  long notBegun() {
    return sum.tally().notBegun();
  }

  /** Returns the trend of the queue. */
  QueueTrend queue() {
    return queue;
  }

  /**
   * Returns the response times, from when operations were due. Operations that did not begin are
   * included with the patience, the least time that they waited; without them a percentile would
   * only cover the faster operations.
   */
  Histogram responses() {
    Histogram times = sum.histogram(LatencyTags.RESPONSE);
    if (notBegun() == 0) {
      return times;
    }
    Histogram all = times.copy();
    all.recordValueWithCount(patienceNanos, notBegun());
    return all;
  }
}
