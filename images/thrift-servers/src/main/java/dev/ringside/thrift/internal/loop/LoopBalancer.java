package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.habits.CpuLoad;
import dev.ringside.thrift.internal.metrics.Metrics;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Adapts the number of event loops in use to the load, and moves connections accordingly. The
 * watchdog's polls are its samples, so it costs the loops nothing. For the watchdog's thread only.
 */
public final class LoopBalancer {
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int MIN_SAMPLES = 20;

  private final Metrics metrics;
  private final EventLoops loops;
  private final LoopCount count;
  private final LoopSamples samples;

  /** The CPU times of the leaders at the end of the last period that needed them. */
  private Map<Thread, Long> leaderNanos = new HashMap<>();

  private long periodBegan = System.nanoTime();
  private long requestsBefore;
  private boolean idleKnown;
  private long pausedAt;

  public LoopBalancer(Metrics metrics, EventLoops loops, long lookNanos) {
    this.metrics = metrics;
    this.loops = loops;
    this.count = new LoopCount(loops.size());
    this.samples = new LoopSamples(loops.size(), lookNanos);
    CpuLoad.nanos(); // Loads the class while there is memory.
  }

  /** Samples all loops, and decides at the end of a period. */
  public void look() {
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

  /** Records that sampling pauses, because nothing happens. */
  public void pause() {
    pausedAt = System.nanoTime();
  }

  /**
   * Records that sampling resumes. A pause is part of its period; otherwise no period would ever be
   * complete where threads lack processors. After a pause in which a loop would have been removed,
   * one loop is in use.
   */
  public void resume() {
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
    double idle = CpuLoad.idleProcessors();
    double leaders = leaders(periodNanos);
    if (idleKnown) {
      double elsewhere = CpuLoad.processors() - idle - leaders;
      count.next(new LoopCount.Period(busiest, sum, idle, elsewhere, served));
    }
    // The first values after a pause cover the whole pause, so they are not used.
    idleKnown = true;
  }

  /**
   * Returns how many processors the leaders of the loops in use have used since the last call,
   * which was {@code nanos} ago. A new leader counts as having used one processor. Costs a system
   * call for each.
   */
  private double leaders(long nanos) {
    Map<Thread, Long> now = new HashMap<>();
    double used = 0;
    for (int i = 0; i < loops.inUse(); i++) {
      Leadership leadership = loops.get(i).leadership();
      if (leadership == null) {
        continue;
      }
      long time = CpuLoad.nanosOf(leadership.thread);
      Long last = leaderNanos.get(leadership.thread);
      used += time < 0 || last == null ? 1 : (double) (time - last) / nanos;
      now.put(leadership.thread, time);
    }
    leaderNanos = now;
    return used;
  }
}
