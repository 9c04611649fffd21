package dev.ringside.thrift;

import java.util.concurrent.atomic.LongAdder;

/** Counts the calls of one method. Thread-safe; threads that count at the same time do not wait. */
final class MethodCounts {
  private final LongAdder calls = new LongAdder();
  private final LongAdder nanos = new LongAdder();
  private final LongAdder exceptions = new LongAdder();
  private final LongAdder failures = new LongAdder();

  /** Counts a call with its time in ns and its kind of reply. */
  void add(long time, ReplyKind reply) {
    calls.increment();
    nanos.add(time);
    if (reply == ReplyKind.DECLARED) {
      exceptions.increment();
    } else if (reply == ReplyKind.FAILURE) {
      failures.increment();
    }
  }

  /** Adds the counts of another. */
  void addAll(MethodCounts other) {
    calls.add(other.calls.sum());
    nanos.add(other.nanos.sum());
    exceptions.add(other.exceptions.sum());
    failures.add(other.failures.sum());
  }

  /** Returns the counts so far, under a name. */
  MethodMetrics read(String name) {
    return new MethodMetrics(name, calls.sum(), exceptions.sum(), failures.sum(), nanos.sum());
  }
}
