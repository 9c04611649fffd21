package dev.ringside.load;

import org.HdrHistogram.Histogram;

/** What a server did at one rate, in one step of a search. */
final class StepResult {
  private final long asked;
  private final long patienceNanos;
  private final WindowSum sum;
  private final QueueTrend queue;

  /**
   * A step.
   *
   * @param asked operations that were due in it
   * @param patienceNanos how long what was due could still begin when the step had ended
   * @param queue known only where it is watched
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

  /** What became of the operations. */
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

  /** Operations that were due in the step, and began in it. */
  long begunInTime() {
    return answered() + failed() + unanswered() - sum.late();
  }

  /** Operations that were due in the step, and did not begin when that was over, either. */
  long notBegun() {
    return sum.tally().notBegun();
  }

  /** What became of the queue. */
  QueueTrend queue() {
    return queue;
  }

  /**
   * From when operations were due. Those that did not begin are among them, with what they had
   * waited at the least: without them a percentile would be that of the quicker ones.
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
