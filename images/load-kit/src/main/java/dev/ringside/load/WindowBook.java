package dev.ringside.load;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * Writes down what threads did in windows: a line of the log per side and kind of latency, and the
 * counts of each arm. Done between windows, so that none pays for another's bookkeeping.
 */
final class WindowBook {
  private final HistogramLog log;
  private final String operation;
  private final boolean scheduled;
  private final Map<String, Tally> tallies = new TreeMap<>();
  private final List<Histogram> histograms = new ArrayList<>();
  // Of the window that was added last, over its sides.
  private long answeredInWindow;
  private long busyNanosOfSide;

  WindowBook(HistogramLog log, String operation, boolean scheduled) {
    this.log = log;
    this.operation = operation;
    this.scheduled = scheduled;
    LatencyTags.of(operation, scheduled)
        .forEach(tag -> histograms.add(new Histogram(HistogramLog.DIGITS)));
  }

  /** Merges what the threads of each side did. */
  void add(Window window, WindowThreads threads) {
    List<Side> sides = window.slot().sides();
    answeredInWindow = 0;
    for (int side = 0; side < sides.size(); side++) {
      add(sides.get(side).label(), window.start(), of(window, side, threads));
    }
    log.flush();
  }

  private static List<Samples> of(Window window, int side, WindowThreads threads) {
    List<Samples> of = new ArrayList<>();
    for (int thread = 0; thread < threads.count(); thread++) {
      if (window.slot().sideOf(thread, threads.count()) == side) {
        of.add(threads.samplesOf(thread));
      }
    }
    return of;
  }

  private void add(String label, long start, List<Samples> samples) {
    histograms.forEach(Histogram::reset);
    Tally tally = tallies.computeIfAbsent(label, name -> new Tally());
    long busyNanos = 0;
    for (Samples thread : samples) {
      thread.outcomes().forEach(tally::ended);
      tally.failed(thread.failures());
      answeredInWindow += thread.answered();
      busyNanos += thread.busyNanos();
      for (int kind = 0; kind < histograms.size(); kind++) {
        thread.addTo(histograms.get(kind), kind);
      }
    }
    busyNanosOfSide = busyNanos / samples.size();
    List<String> tags = LatencyTags.of(label + "/" + operation, scheduled);
    for (int kind = 0; kind < tags.size(); kind++) {
      // Also without an operation: the arm's time has passed.
      log.write(tags.get(kind), start, busyNanosOfSide, histograms.get(kind));
    }
  }

  /**
   * Writes what the store counted in the window that was added last. Of a duet's two sides nobody
   * can tell whose it is: the line has both names.
   *
   * @param counters null where they are not known
   */
  void addCounters(Window window, Map<String, Long> counters) {
    List<String> labels = new ArrayList<>();
    window.slot().sides().forEach(side -> labels.add(side.label()));
    log.writeCounters(
        String.join("+", labels), window.start(), busyNanosOfSide, answeredInWindow, counters);
    log.flush();
  }

  /** By label. */
  Map<String, Tally> tallies() {
    return tallies;
  }

  void writeSummary(Path file) throws IOException {
    Summary.write(file, tallies);
  }
}
