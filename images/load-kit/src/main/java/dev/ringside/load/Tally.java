package dev.ringside.load;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/** What was answered and what failed, over all threads. */
public final class Tally {
  private final LongAdder answered = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder unanswered = new LongAdder();
  private final ConcurrentMap<String, LongAdder> outcomes = new ConcurrentSkipListMap<>();
  private final LongAdder keys = new LongAdder();
  private volatile String lastFault = "";

  /** One operation was answered with so many records. */
  public void answered(int records) {
    answered.increment();
    keys.add(records);
  }

  /** One operation failed; its time is in no log. */
  public void failed(String fault) {
    failed.increment();
    lastFault = fault;
  }

  /** So many operations, of one record each, ended so. */
  void ended(Outcome outcome, long times) {
    if (outcome.isAnswered()) {
      answered.add(times);
      keys.add(times);
    } else {
      unanswered.add(times);
    }
    if (!outcome.name().isEmpty()) {
      count(outcome.name(), times);
    }
  }

  private void count(String outcome, long times) {
    outcomes.computeIfAbsent(outcome, name -> new LongAdder()).add(times);
  }

  /** Counts of a window. */
  void add(Tally there) {
    answered.add(there.answered());
    failed.add(there.failed());
    unanswered.add(there.unanswered());
    keys.add(there.keys());
    there.outcomes().forEach((name, times) -> count(name, times));
  }

  /** So many operations failed. */
  void failed(long times) {
    failed.add(times);
  }

  /** Operations that were answered. */
  public long answered() {
    return answered.sum();
  }

  /** Operations that failed. */
  public long failed() {
    return failed.sum();
  }

  /** Operations that were neither answered nor failed: they ended in an outcome that is none. */
  public long unanswered() {
    return unanswered.sum();
  }

  /** How often each named outcome was met, by its name. */
  public Map<String, Long> outcomes() {
    Map<String, Long> counts = new TreeMap<>();
    outcomes.forEach((name, count) -> counts.put(name, count.sum()));
    return counts;
  }

  /** Keys that were touched by operations that were answered. */
  public long keys() {
    return keys.sum();
  }

  /** Why the last one failed; empty if none did. */
  public String lastFault() {
    return lastFault;
  }

  /** In one line. */
  @Override
  public String toString() {
    StringBuilder counts = new StringBuilder(answered() + " operations, " + failed() + " errors");
    outcomes().forEach((name, count) -> counts.append(", ").append(count).append(' ').append(name));
    return lastFault.isEmpty() ? counts.toString() : counts + ", the last: " + lastFault;
  }
}
