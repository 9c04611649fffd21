package dev.ringside.load;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** The merged results of all threads of one side in a window: counts, times and length. */
final class WindowSum {
  private final Tally tally = new Tally();
  private final List<Histogram> histograms = new ArrayList<>();
  private final Histogram failures = new Histogram(HistogramLog.DIGITS);
  private final long lengthNanos;
  private long late;

  /**
   * Merges the samples of the last window.
   *
   * @param kinds number of kinds of latency to merge, in the order of {@link LatencyTags}
   */
  WindowSum(Window window, int side, WindowThreads threads, int kinds) {
    for (int kind = 0; kind < kinds; kind++) {
      histograms.add(new Histogram(HistogramLog.DIGITS));
    }
    long busyNanos = 0;
    int members = 0;
    for (int thread = 0; thread < threads.count(); thread++) {
      if (window.slot().sideOf(thread, threads.count()) != side) {
        continue;
      }
      Samples samples = threads.samplesOf(thread);
      members++;
      busyNanos += samples.busyNanos();
      samples.outcomes().forEach(tally::ended);
      tally.notBegun(samples.notBegun());
      late += samples.late();
      for (int kind = 0; kind < kinds; kind++) {
        samples.addTo(histograms.get(kind), kind);
      }
      samples.addFailedTo(failures);
    }
    lengthNanos = busyNanos / members;
  }

  /** Returns the counts of the outcomes. */
  Tally tally() {
    return tally;
  }

  /** Returns the number of operations that began after the end of the window. */
  long late() {
    return late;
  }

  /** Returns the times of one kind, a constant of {@link LatencyTags}. */
  Histogram histogram(int kind) {
    return histograms.get(kind);
  }

  /** Returns the mean of the threads' times, as {@link WindowLoop} defines them, in nanoseconds. */
  long lengthNanos() {
    return lengthNanos;
  }

  /** Writes the times of the operations that failed, if any did. */
  void writeFailed(HistogramLog log, String tag, long startNanos) {
    if (failures.getTotalCount() > 0) {
      log.write(tag, startNanos, lengthNanos, failures);
    }
  }

  /** Writes the lines of the window, one for each tag. */
  void write(HistogramLog log, List<String> tags, long startNanos) {
    for (int kind = 0; kind < tags.size(); kind++) {
      // A window without operations is logged too, because the arm's time has passed.
      log.write(tags.get(kind), startNanos, lengthNanos, histograms.get(kind));
    }
  }
}
