package dev.ringside.thrift;

import java.util.concurrent.atomic.LongAdder;

/** What is counted of one method. From any thread; threads that count at once do not wait. */
final class MethodCounts {
  private final LongAdder calls = new LongAdder();
  private final LongAdder nanos = new LongAdder();
  private final LongAdder exceptions = new LongAdder();
  private final LongAdder failures = new LongAdder();

  /** Counts a call that took so long and was answered like that. */
  void add(long time, ReplyKind reply) {
    calls.increment();
    nanos.add(time);
    if (reply == ReplyKind.DECLARED) {
      exceptions.increment();
    } else if (reply == ReplyKind.FAILURE) {
      failures.increment();
    }
  }

  /** Counts all that another one has counted. */
  void addAll(MethodCounts other) {
    calls.add(other.calls.sum());
    nanos.add(other.nanos.sum());
    exceptions.add(other.exceptions.sum());
    failures.add(other.failures.sum());
  }

  /** What it has counted so far, under that name. */
  MethodMetrics read(String name) {
    return new MethodMetrics(name, calls.sum(), exceptions.sum(), failures.sum(), nanos.sum());
  }
}
