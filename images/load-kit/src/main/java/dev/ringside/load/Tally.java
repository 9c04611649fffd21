package dev.ringside.load;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts of answered and failed operations over all threads. Safe for any number of threads. */
public final class Tally {
  private final LongAdder answered = new LongAdder();
  private final Map<ErrorKind, LongAdder> failed = new EnumMap<>(ErrorKind.class);
  private final LongAdder unanswered = new LongAdder();
  private final ConcurrentMap<String, LongAdder> outcomes = new ConcurrentSkipListMap<>();
  private final LongAdder keys = new LongAdder();
  private final LongAdder notBegun = new LongAdder();
  private volatile String lastFault = "";

  /** Creates an empty tally. */
  public Tally() {
    for (ErrorKind kind : ErrorKind.values()) {
      failed.put(kind, new LongAdder());
    }
  }

  /** Counts one operation that was answered with that number of records. */
  public void answered(int records) {
    answered.increment();
    keys.add(records);
  }

  /** Counts one failed operation. */
  public void failed(ErrorKind kind, String fault) {
    failed.get(kind).increment();
    lastFault = fault;
  }

  /** Counts operations of one record each with the same outcome. */
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

  /** Counts operations that were due at a constant rate and did not begin. */
  public void notBegun(long times) {
    notBegun.add(times);
  }

  private void count(String outcome, long times) {
    outcomes.computeIfAbsent(outcome, name -> new LongAdder()).add(times);
  }

  /** Adds the counts of a window. */
  void add(Tally there) {
    answered.add(there.answered());
    there.failed.forEach((kind, count) -> failed.get(kind).add(count.sum()));
    unanswered.add(there.unanswered());
    keys.add(there.keys());
    notBegun.add(there.notBegun());
    there.outcomes().forEach((name, times) -> count(name, times));
  }

  /** Returns the number of answered operations. */
  public long answered() {
    return answered.sum();
  }

  /** Returns the number of failed operations. */
  public long failed() {
    return failed.values().stream().mapToLong(LongAdder::sum).sum();
  }

  /** Returns the number of failed operations by kind, without kinds that did not occur. */
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

  /** Returns the number of operations that were neither answered nor failed. */
  public long unanswered() {
    return unanswered.sum();
  }

  /**
   * Returns the number of operations that were due at a constant rate and were given up before they
   * began. Their times are not known.
   */
  public long notBegun() {
    return notBegun.sum();
  }

  /** Returns the number of operations by the name of their outcome. */
  public Map<String, Long> outcomes() {
    Map<String, Long> counts = new TreeMap<>();
    outcomes.forEach((name, count) -> counts.put(name, count.sum()));
    return counts;
  }

  /** Returns the number of records in answered operations. */
  public long keys() {
    return keys.sum();
  }

  /** Returns the message of the last failure; empty if there was none. */
  public String lastFault() {
    return lastFault;
  }

  /** Returns the counts in one line. */
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
