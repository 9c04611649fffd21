package dev.ringside.load;

import java.io.Closeable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Samples the queue during a step, {@value #SAMPLES} times, in its own thread. The queue is all
 * operations that are due and not done: those in the store, by its counters, and those that the
 * load's threads have not begun. Without the latter, a store that accepts no requests while it is
 * busy would have no queue.
 */
final class QueueWatch implements Closeable {
  private static final int SAMPLES = 100;
  private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private final Clock clock;
  private final QueueTerms terms;
  private final StoreCounters counters;
  private final int batch;
  private final ExecutorService thread;
  private Future<List<Backlog>> watched;

  /**
   * Creates the watch; it does nothing yet.
   *
   * @param terms null if the objective needs no queue: then there are no samples
   * @param counters closed with this object
   * @param batch operations that begin together
   */
  QueueWatch(Clock clock, QueueTerms terms, StoreCounters counters, int batch) {
    this.clock = clock;
    this.terms = terms;
    this.counters = counters;
    this.batch = batch;
    thread =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread made = new Thread(task, "queue-watch");
              made.setDaemon(true);
              return made;
            });
  }

  /**
   * Starts to watch a step that is about to begin. The previous step must have ended.
   *
   * @param sequence the number of the arm's next operation
   * @param pods the pods of the arm
   */
  void begin(Window step, int rate, AtomicLong sequence, Collection<Integer> pods) {
    long before = sequence.get();
    watched = terms == null ? null : thread.submit(() -> watch(step, rate, sequence, before, pods));
  }

  /**
   * Returns the samples of the step, once it has ended.
   *
   * @throws LoadFailedException if the store does not report its queue
   */
  List<Backlog> end() throws InterruptedException, LoadFailedException {
    if (watched == null) {
      return Collections.emptyList();
    }
    List<Backlog> seen;
    try {
      seen = watched.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof LoadFailedException
          ? (LoadFailedException) e.getCause()
          : new LoadFailedException("the queue could not be watched: " + e.getCause(), e);
    }
    if (seen.isEmpty()) {
      throw new LoadFailedException(
          "the store's pods did not tell their queue in a whole step: " + counters);
    }
    return seen;
  }

  private List<Backlog> watch(
      Window step, int rate, AtomicLong sequence, long before, Collection<Integer> pods)
      throws LoadFailedException {
    List<Backlog> seen = new ArrayList<>();
    long stride = Math.max(LEAST_NANOS, (step.end() - step.start()) / SAMPLES);
    for (long at = step.start(); at < step.end(); at = next(at, stride)) {
      clock.sleepUntil(at);
      Reading reading = counters.read().of(pods);
      long now = clock.nanoTime();
      if (now < step.end() && reading.complete()) {
        long nanos = now - step.start();
        double behind = due(nanos, rate) - (sequence.get() - before);
        seen.add(new Backlog(nanos, terms.in(reading) + behind));
      }
    }
    return seen;
  }

  /** Returns the next of the equally spaced times that has not passed. */
  private long next(long at, long stride) {
    return at + stride * Math.max(1, 1 + (clock.nanoTime() - at) / stride);
  }

  /**
   * Returns how many operations are due by then over all threads, as {@link Pace} schedules them.
   */
  private double due(long nanos, int rate) {
    return batch * Math.floor(rate / NANOS_PER_SECOND * nanos / batch + 0.5);
  }

  @Override
  public void close() {
    thread.shutdownNow();
    counters.close();
  }
}
