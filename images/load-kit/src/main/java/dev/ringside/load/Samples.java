package dev.ringside.load;

import java.util.Arrays;
import org.HdrHistogram.Histogram;

/**
 * The results of one thread in one window. Only that thread writes, into arrays that grow and are
 * reused, so that no operation pays for a shared histogram or a lock. After the thread has passed
 * the end of the window, one other thread reads.
 */
final class Samples {
  private static final int FIRST_CAPACITY = 256;

  private final int batch;
  private final long timeoutNanos;
  private long[] service = new long[FIRST_CAPACITY];
  private long[] wait = new long[FIRST_CAPACITY];
  private final OutcomeCounts outcomes = new OutcomeCounts();
  private long[] failures = new long[FIRST_CAPACITY];
  private int answered;
  private int failed;
  private long late;
  private long givenUp;
  private long busyNanos;

  /**
   * Creates an empty object.
   *
   * @param batch operations that each sample stands for
   * @param timeoutNanos how long a client waits for an answer
   */
  Samples(int batch, long timeoutNanos) {
    this.batch = batch;
    this.timeoutNanos = timeoutNanos;
  }

  void reset() {
    outcomes.reset();
    answered = 0;
    failed = 0;
    late = 0;
    givenUp = 0;
    busyNanos = 0;
  }

  /** Records that there was no open connection. */
  void unconnected() {
    outcomes.add(Outcome.failed(ErrorKind.UNCONNECTED), batch);
  }

  /** Records operations that were due and did not begin within the patience. */
  void givenUp() {
    givenUp += batch;
  }

  /**
   * Records operations that ended.
   *
   * @param isLate whether they began after the end of the window
   */
  void ended(Outcome outcome, long serviceNanos, long waitNanos, boolean isLate) {
    outcomes.add(outcome, batch);
    late += isLate ? batch : 0;
    if (outcome.isAnswered()) {
      answered(serviceNanos, waitNanos);
    } else if (outcome.error() != null) {
      failed(waitNanos + Math.max(serviceNanos, timeoutNanos));
    }
  }

  private void failed(long nanos) {
    if (failed == failures.length) {
      failures = Arrays.copyOf(failures, 2 * failed);
    }
    failures[failed] = nanos;
    failed++;
  }

  private void answered(long serviceNanos, long waitNanos) {
    if (answered == service.length) {
      service = Arrays.copyOf(service, 2 * answered);
      wait = Arrays.copyOf(wait, 2 * answered);
    }
    service[answered] = serviceNanos;
    wait[answered] = waitNanos;
    answered++;
  }

  void busy(long nanos) {
    busyNanos = nanos;
  }

  /** Returns the counts of the outcomes. */
  OutcomeCounts outcomes() {
    return outcomes;
  }

  int answered() {
    return answered * batch;
  }

  /** Returns the number of operations that began after the end of the window. */
  long late() {
    return late;
  }

  /** Returns the number of operations that were due and did not begin. */
  long notBegun() {
    return givenUp;
  }

  /** Returns the thread's time in the window, in nanoseconds. */
  long busyNanos() {
    return busyNanos;
  }

  /**
   * Adds the times of one kind to a histogram.
   *
   * @param kind a constant of {@link LatencyTags}
   */
  void addTo(Histogram histogram, int kind) {
    for (int i = 0; i < answered; i++) {
      histogram.recordValueWithCount(
          kind == LatencyTags.SERVICE
              ? service[i]
              : kind == LatencyTags.WAIT ? wait[i] : service[i] + wait[i],
          batch);
    }
  }

  /** Adds the times of failed operations, each of which counts at least the timeout. */
  void addFailedTo(Histogram histogram) {
    for (int i = 0; i < failed; i++) {
      histogram.recordValueWithCount(failures[i], batch);
    }
  }
}
