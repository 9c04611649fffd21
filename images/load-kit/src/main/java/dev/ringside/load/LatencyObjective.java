package dev.ringside.load;

/**
 * The objective that a percentile of the response time, counted from an operation's due time, stays
 * within a bound. A bound of more than 1% of a step never decides alone: see {@link Delivery}.
 */
final class LatencyObjective implements Objective {
  /** The least number of values above the percentile. */
  private static final double BEYOND = 10;

  private static final double PERCENT = 100;

  private final double percentile;
  private final long boundNanos;
  private final Delivery delivery;

  LatencyObjective(double percentile, long boundNanos, Delivery delivery) {
    this.percentile = percentile;
    this.boundNanos = boundNanos;
    this.delivery = delivery;
  }

  @Override
  public long operations() {
    return Math.round(BEYOND * PERCENT / (PERCENT - percentile));
  }

  /** Returns the response time that is compared with the bound. */
  @Override
  public long figure(StepResult step) {
    return step.responses().getValueAtPercentile(percentile);
  }

  @Override
  public boolean kept(StepResult step) {
    return delivery.kept(step) && figure(step) <= boundNanos;
  }
}
