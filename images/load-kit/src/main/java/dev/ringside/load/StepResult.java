package dev.ringside.load;

import org.HdrHistogram.Histogram;

/** What a server did at one rate, in one step of a search. */
final class StepResult {
  private final long asked;
  private final WindowSum sum;
  private final QueueTrend queue;

  /**
   * A step.
   *
   * @param asked operations that were due in it
   * @param queue known only where it is watched
   */
  StepResult(long asked, WindowSum sum, QueueTrend queue) {
    this.asked = asked;
    this.sum = sum;
    this.queue = queue;
  }

  long asked() {
    return asked;
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

  /** What became of the queue. */
  QueueTrend queue() {
    return queue;
  }

  /** From when operations were due. */
  Histogram responses() {
    return sum.histogram(LatencyTags.RESPONSE);
  }
}
