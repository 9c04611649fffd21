package dev.ringside.thrift;

import java.util.concurrent.atomic.LongAdder;

/** Holds the counters of one server. Times are in ns. */
final class Metrics {
  final LongAdder accepted = new LongAdder();
  final Failures acceptFailures = new Failures();
  final LongAdder refused = new LongAdder();
  final LongAdder closed = new LongAdder();
  final LongAdder idleClosed = new LongAdder();
  final LongAdder stalledClosed = new LongAdder();
  final LongAdder cutOff = new LongAdder();
  final LongAdder inlineRequests = new LongAdder();
  final LongAdder handedOffRequests = new LongAdder();
  final LongAdder expired = new LongAdder();
  final LongAdder lingersInVain = new LongAdder();
  final LongAdder promotions = new LongAdder();
  final LongAdder handlerNanos = new LongAdder();
  final LongAdder queueNanos = new LongAdder();
  private final RecentMax maxQueueNanos = new RecentMax();
  final LongAdder backpressureNanos = new LongAdder();
  final LongAdder bytesRead = new LongAdder();
  final LongAdder bytesWritten = new LongAdder();
  final LongAdder badFrames = new LongAdder();
  final Failures handlerFailures = new Failures();

  /** Failures of the server's own threads, which go on. */
  final Failures failures = new Failures();

  private final Seldom badFrameLines = new Seldom(System.nanoTime());

  /** Returns how many requests have run. */
  long requests() {
    return inlineRequests.sum() + handedOffRequests.sum();
  }

  /**
   * Counts a frame or message that could not be decoded.
   *
   * @return how many were left out of the log since the last line, or -1 to leave this one out too
   */
  int badFrame() {
    badFrames.increment();
    return badFrameLines.ask(System.nanoTime());
  }

  void queued(long nanos, long now) {
    queueNanos.add(nanos);
    maxQueueNanos.add(nanos, now);
  }

  /** Returns the longest wait of the last one to two minutes. */
  long maxQueueNanos() {
    return maxQueueNanos.get(System.nanoTime());
  }
}
