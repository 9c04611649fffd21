package dev.ringside.bench.client;

import java.util.concurrent.TimeUnit;

/**
 * When the requests of an open loop are due: at a constant rate from a start on.
 *
 * @param startNanos System.nanoTime() when the first is due
 * @param count requests in all
 */
record Schedule(long startNanos, double perSecond, long count) {
  /** As many as fall into that time, one at least. */
  static Schedule of(long startNanos, double perSecond, long millis) {
    if (!(perSecond > 0)) {
      throw new IllegalArgumentException("no open loop at " + perSecond + " requests per second");
    }
    return new Schedule(startNanos, perSecond, Math.max(1, (long) (perSecond * millis / 1000)));
  }

  /** System.nanoTime() when that request, counted from 0, is due. */
  long due(long request) {
    return startNanos + (long) (request * (TimeUnit.SECONDS.toNanos(1) / perSecond));
  }
}
