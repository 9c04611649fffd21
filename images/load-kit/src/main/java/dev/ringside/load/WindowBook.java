package dev.ringside.load;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
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
  private final ArmPods pods;
  private final Map<String, Tally> tallies = new TreeMap<>();
  private final Map<Side, WindowSum> lastWindow = new HashMap<>();

  WindowBook(HistogramLog log, String operation, boolean scheduled, ArmPods pods) {
    this.log = log;
    this.operation = operation;
    this.scheduled = scheduled;
    this.pods = pods;
  }

  /** Merges and logs the results of the threads of each side. */
  void add(Window window, WindowThreads threads) {
    List<Side> sides = window.slot().sides();
    lastWindow.clear();
    for (int side = 0; side < sides.size(); side++) {
      String label = sides.get(side).label();
      List<String> tags = LatencyTags.of(label + "/" + operation, scheduled);
      WindowSum sum = new WindowSum(window, side, threads, tags.size());
      tallies.computeIfAbsent(label, name -> new Tally()).add(sum.tally());
      sum.write(log, tags, window.start());
      sum.writeFailed(log, LatencyTags.failed(label + "/" + operation), window.start());
      lastWindow.put(sides.get(side), sum);
    }
    log.flush();
  }

  /**
   * Logs what the pods of each side counted in the last window. If both sides of a duet use one
   * pod, what it counted cannot be attributed to a side. Then they have one line, with both labels
   * and the length of the longer side.
   */
  void addCounters(Window window, Reading before, Reading after) {
    for (List<Side> sides : pods.separate(window.slot().sides())) {
      List<String> labels = new ArrayList<>();
      long answered = 0;
      long lengthNanos = 0;
      for (Side side : sides) {
        WindowSum sum = lastWindow.get(side);
        labels.add(side.label());
        answered += sum.tally().answered();
        lengthNanos = Math.max(lengthNanos, sum.lengthNanos());
      }
      Collection<Integer> theirs = pods.of(sides);
      log.writeCounters(
          String.join("+", labels),
          window.start(),
          lengthNanos,
          answered,
          after.of(theirs).since(before.of(theirs)));
    }
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
