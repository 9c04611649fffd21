package dev.ringside.load;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The operations that failed, until they are logged: each in the interval in which its client would
 * have given up, so that its due time is the end of the interval less its time, as for answered
 * operations. Those that are left when the load ends count as long as it has lasted since they were
 * due. Safe for any number of threads.
 */
final class FailedTimes {
  private static final class Failed {
    private final long due;
    private final long end;

    Failed(long due, long end) {
      this.due = due;
      this.end = end;
    }
  }

  private final long longestNanos;
  private final List<Failed> waiting = new ArrayList<>();

  /**
   * Creates an empty object.
   *
   * @param longestNanos the longest time; longer times count as this one
   */
  FailedTimes(long longestNanos) {
    this.longestNanos = longestNanos;
  }

  /** Adds an operation that counts until that end; both times are {@link System#nanoTime}. */
  synchronized void add(long due, long end) {
    waiting.add(new Failed(due, end));
  }

  /**
   * Removes the operations that end until now, or all, and returns their times.
   *
   * @param all whether the load has ended
   * @param batch operations that each time counts for
   */
  synchronized Histogram until(long now, boolean all, int batch) {
    Histogram times = new Histogram(HistogramLog.DIGITS);
    waiting.removeIf(
        each -> {
          if (!all && each.end > now) {
            return false;
          }
          long nanos = Math.min(each.end, now) - each.due;
          times.recordValueWithCount(Math.min(Math.max(0, nanos), longestNanos), batch);
          return true;
        });
    return times;
  }
}
