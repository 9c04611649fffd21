package dev.ringside.load;

import java.util.Locale;

/**
 * The objective that the queue does not grow. The queue is all operations that are due and not
 * done: those in the store and those that wait in the load. A step without enough samples of the
 * store's queue does not meet it.
 */
final class QueueObjective implements Objective {
  /** Ten for each piece of time of the trend. */
  private static final long OPERATIONS = 10L * QueueTrend.PIECES;

  private final double percentile;
  private final Delivery delivery;

  /** Creates the objective. The percentile is only reported; the verdict does not depend on it. */
  QueueObjective(double percentile, Delivery delivery) {
    this.percentile = percentile;
    this.delivery = delivery;
  }

  @Override
  public long operations() {
    return OPERATIONS;
  }

  @Override
  public long figure(StepResult step) {
    return step.responses().getValueAtPercentile(percentile);
  }

  @Override
  public boolean kept(StepResult step) {
    return delivery.kept(step) && step.queue().known() && !step.queue().grows();
  }

  @Override
  public String noted(StepResult step) {
    QueueTrend queue = step.queue();
    String samples = " queue_samples=" + queue.samples();
    return queue.known()
        ? samples
            + String.format(
                Locale.ROOT,
                " growth=%.1f growth_least=%.1f growth_most=%.1f",
                queue.growth(),
                queue.least(),
                queue.most())
        : samples;
  }
}
