package dev.ringside.load;

/**
 * A percentile of the response time, from when an operation was due, within a bound; with hardly an
 * operation that failed or was not answered; and with the rate that was asked for.
 */
final class LatencyObjective {
  /**
   * Of what was due in a step, begun in it. As the gate on missed rates has it, unless an
   * experiment says otherwise. So a queue before the load's threads that is longer than 1% of the
   * step when it ends refuses a rate, whatever the bound is: a bound of more than that never
   * decides alone.
   */
  private static final double LEAST_SHARE = 0.99;

  /** So many values must lie beyond a percentile. */
  private static final double BEYOND = 10;

  private static final double PERCENT = 100;
  private static final double PERMILLE = 1000;

  private final double percentile;
  private final long boundNanos;
  private final int failedPermille;

  LatencyObjective(double percentile, long boundNanos, int failedPermille) {
    this.percentile = percentile;
    this.boundNanos = boundNanos;
    this.failedPermille = failedPermille;
  }

  /** Operations that a step must have for its verdict to be more than luck. */
  long operations() {
    return Math.round(BEYOND * PERCENT / (PERCENT - percentile));
  }

  /** The figure that is held against the bound, for the record. */
  long figure(StepResult step) {
    return step.responses().getValueAtPercentile(percentile);
  }

  /** Whether the step kept to it. */
  boolean kept(StepResult step) {
    long begun = step.answered() + step.failed() + step.unanswered();
    long lost = step.failed() + step.unanswered();
    return step.answered() > 0
        && begun >= LEAST_SHARE * step.asked()
        && lost * PERMILLE <= (double) begun * failedPermille
        && figure(step) <= boundNanos;
  }
}
