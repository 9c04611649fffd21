package dev.ringside.thrift.internal.metrics;

import java.util.concurrent.atomic.LongAdder;

/** Holds the counters of one server. Times are in ns. */
public final class Metrics {
  public final LongAdder accepted = new LongAdder();
  public final Failures acceptFailures;
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
  public final Failures handlerFailures;

  /** Failures of the server's own threads, which go on. */
  public final Failures failures;

  /** Connections that have ended. */
  public final Closings closings;

  /** Creates the counters of a server with that name. */
  public Metrics(String server) {
    acceptFailures = new Failures(server);
    handlerFailures = new Failures(server);
    failures = new Failures(server);
    closings = new Closings(server);
  }

  /** Returns how many requests have run. */
  public long requests() {
    return inlineRequests.sum() + handedOffRequests.sum();
  }
}
