package dev.ringside.load;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** What all threads of one side did in a window, merged: its counts, its times, its length. */
final class WindowSum {
  private final Tally tally = new Tally();
  private final List<Histogram> histograms = new ArrayList<>();
  private final long lengthNanos;
  private long late;

  /**
   * Merges the samples of the window that was run last.
   *
   * @param kinds of latency to merge, from the first of {@link LatencyTags} on
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
    }
    lengthNanos = busyNanos / members;
  }

  /** What became of the operations. */
  Tally tally() {
    return tally;
  }

  /** Operations that began when the window had ended. */
  long late() {
    return late;
  }

  /** Times of one kind, a constant of {@link LatencyTags}. */
  Histogram histogram(int kind) {
    return histograms.get(kind);
  }

  /** The mean of the threads' time, as {@link WindowLoop} counts it. */
  long lengthNanos() {
    return lengthNanos;
  }

  /** Writes the lines of the window under these tags, one for each kind. */
  void write(HistogramLog log, List<String> tags, long startNanos) {
    for (int kind = 0; kind < tags.size(); kind++) {
      // Also without an operation: the arm's time has passed.
      log.write(tags.get(kind), startNanos, lengthNanos, histograms.get(kind));
    }
  }
}
