package dev.ringside.cassandra.counters;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/**
 * CPU time by group, added up thread by thread from one reading to the next. A total never falls:
 * what a thread used stays when it has ended. What it used between the last reading and its end is
 * in no group. A thread's time belongs to the group that it is in when it is read. For one thread.
 */
final class GroupTimes {
  private static final class Seen {
    private long nanos;
    private long reading;
  }

  private final Map<Long, Seen> threads = new HashMap<>();
  private final Map<CpuGroup, Long> totals = new EnumMap<>(CpuGroup.class);
  private long reading;

  /** A thread, by a number that no other thread has while this one lives. */
  void add(long thread, CpuGroup group, long nanos) {
    Seen seen = threads.computeIfAbsent(thread, key -> new Seen());
    // Less than before: another thread with the number of one that ended.
    long used = nanos < seen.nanos ? nanos : nanos - seen.nanos;
    seen.nanos = nanos;
    seen.reading = reading;
    if (group != null) {
      totals.merge(group, used, Long::sum);
    }
  }

  /** Ends a reading: threads that were not in it have ended. */
  void endReading() {
    threads.values().removeIf(seen -> seen.reading != reading);
    reading++;
  }

  /** By group; groups of which no thread was seen are left out. */
  Map<CpuGroup, Long> totals() {
    return totals;
  }

  int threads() {
    return threads.size();
  }
}
