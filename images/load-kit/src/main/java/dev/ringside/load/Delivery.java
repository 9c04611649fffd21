package dev.ringside.load;

/**
 * The condition that every objective includes: the server reaches the offered rate, and almost no
 * operation fails or stays unanswered.
 */
final class Delivery {
  /**
   * The least share of a step's due operations that must begin within the step; the rest begins
   * late, and its response times count. It is the default of the gate on missed rates. So a queue
   * in front of the load's threads that is longer than 1% of the step at its end fails the step,
   * whatever the objective.
   */
  private static final double LEAST_SHARE = 0.99;

  private static final double PERMILLE = 1000;

  private final int failedPermille;

  /**
   * Creates the condition.
   *
   * @param failedPermille how many of 1000 operations may fail or stay unanswered
   */
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
