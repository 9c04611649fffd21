package dev.ringside.load;

/**
 * What every objective asks of a step: the rate that was asked for, and hardly an operation that
 * failed or was not answered.
 */
final class Delivery {
  /**
   * Of what was due in a step, begun in it; the rest begins late, and its times count. As the gate
   * on missed rates has it, unless an experiment says otherwise. So a queue before the load's
   * threads that is longer than 1% of the step when it ends refuses a rate, whatever else the
   * objective is.
   */
  private static final double LEAST_SHARE = 0.99;

  private static final double PERMILLE = 1000;

  private final int failedPermille;

  /** So many of a thousand operations may fail or stay without an answer. */
  Delivery(int failedPermille) {
    this.failedPermille = failedPermille;
  }

  boolean kept(StepResult step) {
    long begun = step.answered() + step.failed() + step.unanswered();
    long lost = step.failed() + step.unanswered();
    return step.answered() > 0
        && step.notBegun() == 0
        && step.begunInTime() >= LEAST_SHARE * step.asked()
        && lost * PERMILLE <= (double) begun * failedPermille;
  }
}
