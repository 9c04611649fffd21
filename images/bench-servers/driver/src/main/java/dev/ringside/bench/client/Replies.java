package dev.ringside.bench.client;

import dev.ringside.bench.wire.Delay;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Collects service times in ns, of all requests and of those without a delay. For one thread. */
final class Replies {
  private static final long LONGEST = TimeUnit.MINUTES.toNanos(1);

  private final Histogram all = new Histogram(LONGEST, 3);
  private final Histogram quick = new Histogram(LONGEST, 3);

  void record(long nanos, Delay delay) {
    long value = Math.min(nanos, LONGEST);
    all.recordValue(value);
    if (delay == Delay.NONE) {
      quick.recordValue(value);
    }
  }

  void reset() {
    all.reset();
    quick.reset();
  }

  Histogram all() {
    return all;
  }

  Histogram quick() {
    return quick;
  }
}
