package dev.ringside.thrift;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Brings the number of event loops in use to what the load needs, and their connections with it.
 * The watchdog's looks at the loops are its samples, so that it costs the loops nothing. For the
 * watchdog's thread only.
 */
final class LoopBalancer {
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int MIN_SAMPLES = 20;

  private final Metrics metrics;
  private final EventLoops loops;
  private final LoopCount count;
  private final Processors processors = new Processors();
  private final int[] busy;
  private final LeaderTimes leaderTimes = new LeaderTimes();
  private int samples;
  private long periodBegan = System.nanoTime();
  private long requestsBefore;
  private boolean idleKnown;

  LoopBalancer(Metrics metrics, EventLoops loops) {
    this.metrics = metrics;
    this.loops = loops;
    this.count = new LoopCount(loops.size());
    this.busy = new int[loops.size()];
  }

  /** Looks at all loops; now and then decides. */
  void look() {
    if (loops.size() == 1) {
      return;
    }
    for (int i = 0; i < busy.length; i++) {
      if (loops.get(i).isBusy()) {
        busy[i]++;
      }
    }
    long now = System.nanoTime();
    if (++samples >= MIN_SAMPLES && now - periodBegan >= PERIOD_NANOS) {
      endPeriod(now - periodBegan);
      samples = 0;
      periodBegan = now;
      Arrays.fill(busy, 0);
    }
  }

  /** The looks are interrupted: what they have shown so far is no period. */
  void pause() {
    samples = 0;
    Arrays.fill(busy, 0);
    idleKnown = false;
  }

  /** The looks go on. */
  void resume() {
    periodBegan = System.nanoTime();
    requestsBefore = metrics.requests();
  }

  private void endPeriod(long periodNanos) {
    int inUse = count.inUse();
    double sum = 0;
    double busiest = 0;
    for (int i = 0; i < inUse; i++) {
      double share = (double) busy[i] / samples;
      sum += share;
      busiest = Math.max(busiest, share);
    }
    long requests = metrics.requests();
    long served = requests - requestsBefore;
    requestsBefore = requests;
    if (count.mustDecide(busiest)) {
      decide(busiest, sum, served, periodNanos);
    } else {
      // Spare the look at the processors.
      idleKnown = false;
    }
    // Though nothing has changed: connections that were being served may still be where they were.
    loops.use(count.inUse());
  }

  private void decide(double busiest, double sum, long served, long periodNanos) {
    double idle = processors.idle();
    double leaders = leaderTimes.since(loops, periodNanos);
    if (idleKnown) {
      double elsewhere = processors.count() - idle - leaders;
      count.next(new LoopCount.Period(busiest, sum, idle, elsewhere, served));
    }
    // The first look after a while tells of all that while.
    idleKnown = true;
  }
}
