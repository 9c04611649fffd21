package dev.ringside.thrift.internal.metrics;

import java.util.concurrent.atomic.LongAdder;

/** Holds the counters of one server. Times are in ns. */
public final class Metrics {
  public final LongAdder accepted = new LongAdder();
  public final Failures acceptFailures = new Failures();
  public final LongAdder refused = new LongAdder();
  public final LongAdder idleClosed = new LongAdder();
  public final LongAdder stalledClosed = new LongAdder();
  public final LongAdder cutOff = new LongAdder();
  public final LongAdder inlineRequests = new LongAdder();
  public final LongAdder handedOffRequests = new LongAdder();
  public final LongAdder expired = new LongAdder();
  public final LongAdder lingersInVain = new LongAdder();
  public final LongAdder promotions = new LongAdder();
  public final LongAdder handlerNanos = new LongAdder();
  public final LongAdder queueNanos = new LongAdder();
  public final LongAdder backpressureNanos = new LongAdder();
  public final LongAdder bytesRead = new LongAdder();
  public final LongAdder bytesWritten = new LongAdder();
  public final LongAdder badFrames = new LongAdder();
  public final Failures handlerFailures = new Failures();

  /** Failures of the server's own threads, which go on. */
  public final Failures failures = new Failures();

  private final LogThrottle badFrameLines = new LogThrottle(System.nanoTime());

  /** Returns how many requests have run. */
  public long requests() {
    return inlineRequests.sum() + handedOffRequests.sum();
  }

  /**
   * Counts a frame or message that could not be decoded.
   *
   * @return how many were left out of the log since the last line, or -1 to leave this one out too
   */
  public int badFrame() {
    badFrames.increment();
    return badFrameLines.ask(System.nanoTime());
  }
}
