package dev.ringside.bench.client;

import java.util.concurrent.TimeUnit;

/**
 * Computes when the requests of an open loop are due: at a constant rate.
 *
 * @param startNanos System.nanoTime() when the first is due
 * @param count number of requests
 */
record Schedule(long startNanos, double perSecond, long count) {
  /** Creates a schedule of the requests in a time, at least one. */
  static Schedule of(long startNanos, double perSecond, long millis) {
    if (!(perSecond > 0)) {
      throw new IllegalArgumentException("no open loop at " + perSecond + " requests per second");
    }
    return new Schedule(startNanos, perSecond, Math.max(1, (long) (perSecond * millis / 1000)));
  }

  /** Returns the System.nanoTime() at which a request, counted from 0, is due. */
  long due(long request) {
    return startNanos + (long) (request * (TimeUnit.SECONDS.toNanos(1) / perSecond));
  }
}
