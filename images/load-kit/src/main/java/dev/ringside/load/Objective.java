package dev.ringside.load;

/**
 * The condition that a step must meet for its rate to be within the capacity. Implementations are
 * pure functions of the step.
 */
interface Objective {
  /** Returns the least number of operations, or batches, for a reliable verdict about a step. */
  long operations();

  /** Returns the response time at the percentile, in nanoseconds, for the summary. */
  long figure(StepResult step);

  /** Reports whether the step met the objective. */
  boolean kept(StepResult step);

  /**
   * Returns other values that the verdict depends on, for the summary: a space and {@code
   * name=value} for each.
   */
  default String noted(StepResult step) {
    return "";
  }
}
