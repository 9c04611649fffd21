package dev.ringside.load;

import java.util.Arrays;
import org.HdrHistogram.Histogram;

/**
 * What one thread did in one window. Only that thread writes, into arrays that grow and stay: no
 * operation pays for a shared histogram or a lock. Once the thread has passed the window's end, one
 * other reads.
 */
final class Samples {
  private static final int FIRST_CAPACITY = 256;

  private final int batch;
  private long[] service = new long[FIRST_CAPACITY];
  private long[] wait = new long[FIRST_CAPACITY];
  private final OutcomeCounts outcomes = new OutcomeCounts();
  private int answered;
  private long late;
  private long givenUp;
  private long busyNanos;

  /**
   * None yet.
   *
   * @param batch operations that each sample stands for
   */
  Samples(int batch) {
    this.batch = batch;
  }

  void reset() {
    outcomes.reset();
    answered = 0;
    late = 0;
    givenUp = 0;
    busyNanos = 0;
  }

  /** There was no connection to do anything on. */
  void unconnected() {
    outcomes.add(Outcome.failed(ErrorKind.UNCONNECTED), batch);
  }

  /** Operations were due, and did not begin in time to be waited for. */
  void givenUp() {
    givenUp += batch;
  }

  /**
   * Operations ended.
   *
   * @param isLate whether they began when the window had ended
   */
  void ended(Outcome outcome, long serviceNanos, long waitNanos, boolean isLate) {
    outcomes.add(outcome, batch);
    late += isLate ? batch : 0;
    if (outcome.isAnswered()) {
      answered(serviceNanos, waitNanos);
    }
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

  /** What became of the operations. */
  OutcomeCounts outcomes() {
    return outcomes;
  }

  int answered() {
    return answered * batch;
  }

  /** Operations that began when the window had ended. */
  long late() {
    return late;
  }

  /** Operations that were due and did not begin. */
  long notBegun() {
    return givenUp;
  }

  /** The thread's time in the window. */
  long busyNanos() {
    return busyNanos;
  }

  /** Adds the times of one kind, a constant of {@link LatencyTags}. */
  void addTo(Histogram histogram, int kind) {
    for (int i = 0; i < answered; i++) {
      histogram.recordValueWithCount(
          kind == LatencyTags.SERVICE
              ? service[i]
              : kind == LatencyTags.WAIT ? wait[i] : service[i] + wait[i],
          batch);
    }
  }
}
