package dev.ringside.load;

import java.util.concurrent.atomic.LongAdder;

/** What was answered and what failed, over all threads. */
public final class Tally {
  private final LongAdder answered = new LongAdder();
  private final LongAdder failed = new LongAdder();
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

  /** Counts of a window. */
  void add(long answeredThere, long failedThere) {
    answered.add(answeredThere);
    keys.add(answeredThere);
    failed.add(failedThere);
  }

  /** Operations that were answered. */
  public long answered() {
    return answered.sum();
  }

  /** Operations that failed. */
  public long failed() {
    return failed.sum();
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
    String counts = answered() + " operations, " + failed() + " errors";
    return lastFault.isEmpty() ? counts : counts + ", the last: " + lastFault;
  }
}
