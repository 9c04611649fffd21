package dev.ringside.load;

import org.HdrHistogram.Histogram;

/** What a server did at one rate, in one step of a search. */
final class StepResult {
  private final long asked;
  private final WindowSum sum;

  /**
   * A step.
   *
   * @param asked operations that were due in it
   */
  StepResult(long asked, WindowSum sum) {
    this.asked = asked;
    this.sum = sum;
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

  /** From when operations were due. */
  Histogram responses() {
    return sum.histogram(LatencyTags.RESPONSE);
  }
}
