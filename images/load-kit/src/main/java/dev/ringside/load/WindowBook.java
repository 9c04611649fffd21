package dev.ringside.load;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes down what threads did in windows: a line of the log per side and kind of latency, and the
 * counts of each arm. Done between windows, so that none pays for another's bookkeeping.
 */
final class WindowBook {
  private final HistogramLog log;
  private final String operation;
  private final boolean scheduled;
  private final Map<String, Tally> tallies = new TreeMap<>();
  // Of the window that was added last: over its sides, and of the side that took longer.
  private long answeredInWindow;
  private long lengthNanosOfWindow;

  WindowBook(HistogramLog log, String operation, boolean scheduled) {
    this.log = log;
    this.operation = operation;
    this.scheduled = scheduled;
  }

  /** Merges what the threads of each side did. */
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
   * Writes what the store counted in the window that was added last. Of a duet's two sides nobody
   * can tell whose it is: the line has both names.
   *
   * @param counters null where they are not known
   */
  void addCounters(Window window, Map<String, Long> counters) {
    List<String> labels = new ArrayList<>();
    window.slot().sides().forEach(side -> labels.add(side.label()));
    log.writeCounters(
        String.join("+", labels), window.start(), lengthNanosOfWindow, answeredInWindow, counters);
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
