package dev.ringside.load;

/** What a rate must keep to be no higher than the capacity, judged by one step at it. Pure. */
interface Objective {
  /** Operations, or batches of them, that a step must have for its verdict to be more than luck. */
  long operations();

  /** The response time at a percentile, in nanoseconds, for the record. */
  long figure(StepResult step);

  /** Whether the step kept to it. */
  boolean kept(StepResult step);

  /** What else it was judged by, for the record: {@code name=value} after a space each. */
  default String noted(StepResult step) {
    return "";
  }
}
