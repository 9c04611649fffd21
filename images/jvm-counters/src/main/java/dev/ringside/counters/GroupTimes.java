package dev.ringside.counters;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/**
 * CPU time by group, summed thread by thread from reading to reading. A total never decreases: the
 * time of ended threads stays. The time between the last reading of a thread and its end is in no
 * group. A thread's time belongs to its group at the time of the reading. For one thread.
 */
final class GroupTimes {
  private static final class Seen {
    private long nanos;
    private long reading;
  }

  private final Map<Long, Seen> threads = new HashMap<>();
  private final Map<CpuGroup, Long> totals = new EnumMap<>(CpuGroup.class);
  private long reading;

  /**
   * Adds the time of a thread.
   *
   * @param thread a number that is unique among the threads that are alive
   * @param group null if the thread is in no group
   */
  void add(long thread, CpuGroup group, long nanos) {
    Seen seen = threads.computeIfAbsent(thread, key -> new Seen());
    // Less than before: this is another thread, with the number of one that ended.
    long used = nanos < seen.nanos ? nanos : nanos - seen.nanos;
    seen.nanos = nanos;
    seen.reading = reading;
    if (group != null) {
      totals.merge(group, used, Long::sum);
    }
  }

  /** Ends a reading: threads that were not part of it have ended. */
  void endReading() {
    threads.values().removeIf(seen -> seen.reading != reading);
    reading++;
  }

  /** Returns the total by group, without groups that had no thread. */
  Map<CpuGroup, Long> totals() {
    return totals;
  }

  int threads() {
    return threads.size();
  }
}
