package dev.ringside.load;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Records the results of windows: one line of the log per side and kind of latency, and the counts
 * of each arm. It works between windows, so that no window pays for it.
 */
final class WindowBook {
  private final HistogramLog log;
  private final String operation;
  private final boolean scheduled;
  private final Map<String, Tally> tallies = new TreeMap<>();
  // Of the last window: the operations of all sides, and the length of the longer side.
  private long answeredInWindow;
  private long lengthNanosOfWindow;

  WindowBook(HistogramLog log, String operation, boolean scheduled) {
    this.log = log;
    this.operation = operation;
    this.scheduled = scheduled;
  }

  /** Merges and logs the results of the threads of each side. */
  void add(Window window, WindowThreads threads) {
    List<Side> sides = window.slot().sides();
    answeredInWindow = 0;
    lengthNanosOfWindow = 0;
    for (int side = 0; side < sides.size(); side++) {
      String label = sides.get(side).label();
      List<String> tags = LatencyTags.of(label + "/" + operation, scheduled);
      WindowSum sum = new WindowSum(window, side, threads, tags.size());
      tallies.computeIfAbsent(label, name -> new Tally()).add(sum.tally());
      sum.write(log, tags, window.start());
      answeredInWindow += sum.tally().answered();
      lengthNanosOfWindow = Math.max(lengthNanosOfWindow, sum.lengthNanos());
    }
    log.flush();
  }

  /**
   * Logs the store's counters of the last window. In a duet the counters cannot be attributed to a
   * side, so the line has the labels of both.
   *
   * @param counters null if they are not known
   */
  void addCounters(Window window, Map<String, Long> counters) {
    List<String> labels = new ArrayList<>();
    window.slot().sides().forEach(side -> labels.add(side.label()));
    log.writeCounters(
        String.join("+", labels), window.start(), lengthNanosOfWindow, answeredInWindow, counters);
    log.flush();
  }

  /** Returns the counts by label. */
  Map<String, Tally> tallies() {
    return tallies;
  }

  void writeSummary(Path file) throws IOException {
    Summary.write(file, tallies);
  }
}
