package dev.ringside.load;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/** What was answered and what failed, over all threads. */
public final class Tally {
  private final LongAdder answered = new LongAdder();
  private final Map<ErrorKind, LongAdder> failed = new EnumMap<>(ErrorKind.class);
  private final LongAdder unanswered = new LongAdder();
  private final ConcurrentMap<String, LongAdder> outcomes = new ConcurrentSkipListMap<>();
  private final LongAdder keys = new LongAdder();
  private final LongAdder notBegun = new LongAdder();
  private volatile String lastFault = "";

  /** Of nothing yet. */
  public Tally() {
    for (ErrorKind kind : ErrorKind.values()) {
      failed.put(kind, new LongAdder());
    }
  }

  /** One operation was answered with so many records. */
  public void answered(int records) {
    answered.increment();
    keys.add(records);
  }

  /** One operation failed; its time is in no log. */
  public void failed(ErrorKind kind, String fault) {
    failed.get(kind).increment();
    lastFault = fault;
  }

  /** So many operations, of one record each, ended so. */
  void ended(Outcome outcome, long times) {
    if (outcome.error() != null) {
      failed.get(outcome.error()).add(times);
    } else if (outcome.isAnswered()) {
      answered.add(times);
      keys.add(times);
    } else {
      unanswered.add(times);
    }
    if (!outcome.name().isEmpty()) {
      count(outcome.name(), times);
    }
  }

  /** So many operations were due at a constant rate, and did not begin. */
  public void notBegun(long times) {
    notBegun.add(times);
  }

  private void count(String outcome, long times) {
    outcomes.computeIfAbsent(outcome, name -> new LongAdder()).add(times);
  }

  /** Counts of a window. */
  void add(Tally there) {
    answered.add(there.answered());
    there.failed.forEach((kind, count) -> failed.get(kind).add(count.sum()));
    unanswered.add(there.unanswered());
    keys.add(there.keys());
    notBegun.add(there.notBegun());
    there.outcomes().forEach((name, times) -> count(name, times));
  }

  /** Operations that were answered. */
  public long answered() {
    return answered.sum();
  }

  /** Operations that failed. */
  public long failed() {
    return failed.values().stream().mapToLong(LongAdder::sum).sum();
  }

  /** How often operations failed, by the kinds that were met. */
  public Map<ErrorKind, Long> failures() {
    Map<ErrorKind, Long> counts = new EnumMap<>(ErrorKind.class);
    failed.forEach(
        (kind, count) -> {
          if (count.sum() > 0) {
            counts.put(kind, count.sum());
          }
        });
    return counts;
  }

  /** Operations that were neither answered nor failed: they ended in an outcome that is none. */
  public long unanswered() {
    return unanswered.sum();
  }

  /**
   * Operations that were due at a constant rate, and that the load gave up before they began: what
   * their times would have been nobody knows.
   */
  public long notBegun() {
    return notBegun.sum();
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
    failures()
        .forEach((kind, count) -> counts.append(' ').append(kind.id()).append('=').append(count));
    outcomes().forEach((name, count) -> counts.append(", ").append(count).append(' ').append(name));
    if (notBegun() > 0) {
      counts.append(", ").append(notBegun()).append(" were due and did not begin");
    }
    return lastFault.isEmpty() ? counts.toString() : counts + ", the last: " + lastFault;
  }
}
