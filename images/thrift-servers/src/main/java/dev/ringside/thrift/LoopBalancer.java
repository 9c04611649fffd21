package dev.ringside.thrift;

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
  private final LoopSamples samples;
  private final LeaderTimes leaderTimes = new LeaderTimes();
  private long periodBegan = System.nanoTime();
  private long requestsBefore;
  private boolean idleKnown;
  private long pausedAt;

  LoopBalancer(Metrics metrics, EventLoops loops, long lookNanos) {
    this.metrics = metrics;
    this.loops = loops;
    this.count = new LoopCount(loops.size());
    this.samples = new LoopSamples(loops.size(), lookNanos);
  }

  /** Looks at all loops; now and then decides. */
  void look() {
    if (loops.size() == 1) {
      return;
    }
    samples.begin();
    for (int i = 0; i < loops.size(); i++) {
      if (loops.get(i).isBusy()) {
        samples.busy(i);
      }
    }
    long now = System.nanoTime();
    if (samples.looks() >= MIN_SAMPLES && now - periodBegan >= PERIOD_NANOS) {
      endPeriod(now - periodBegan);
      samples.clear();
      periodBegan = now;
    }
  }

  /** The looks are interrupted: there is nothing to see. */
  void pause() {
    pausedAt = System.nanoTime();
  }

  /**
   * The looks go on. A pause is part of its period, or where the threads lack processors no period
   * would ever be whole; after one in which a loop would have been given up, one is in use.
   */
  void resume() {
    long now = System.nanoTime();
    if (now - pausedAt < LoopCount.CALM_PERIODS * PERIOD_NANOS) {
      samples.leftOut(now - pausedAt);
      return;
    }
    count.rest();
    loops.use(count.inUse());
    samples.clear();
    periodBegan = now;
    requestsBefore = metrics.requests();
    idleKnown = false;
  }

  private void endPeriod(long periodNanos) {
    int inUse = count.inUse();
    double sum = 0;
    double busiest = 0;
    for (int i = 0; i < inUse; i++) {
      double share = samples.share(i);
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
