package dev.ringside.load;

import java.util.Locale;

/**
 * A queue that does not grow: by the trend of what was due and not done, the queue in the store and
 * what waits for it in the load. A step of which the store told too little is not kept.
 */
final class QueueObjective implements Objective {
  /** Ten for each piece that the trend is drawn through. */
  private static final long OPERATIONS = 10L * QueueTrend.PIECES;

  private final double percentile;
  private final Delivery delivery;

  /** The percentile is for the record, and decides nothing. */
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
