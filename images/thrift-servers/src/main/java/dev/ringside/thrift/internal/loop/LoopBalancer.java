package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.habits.CpuLoad;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Adapts the number of event loops in use to the load, and moves connections accordingly. For the
 * watchdog's thread only.
 */
public final class LoopBalancer {
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long NEVER_NANOS = TimeUnit.HOURS.toNanos(1);

  private final EventLoops loops;
  private final LoopCount count;

  /** How long each loop had been idle when the period began. */
  private final long[] idleNanos;

  /** The CPU times of the leaders at the end of the last period that needed them. */
  private Map<Thread, Long> leaderNanos = new HashMap<>();

  private long periodBegan = System.nanoTime();

  /** Whether the processors were looked at when the period began. */
  private boolean idleKnown;

  public LoopBalancer(EventLoops loops) {
    this.loops = loops;
    this.count = new LoopCount(loops.size());
    this.idleNanos = new long[loops.size()];
    CpuLoad.nanos(); // Loads the class while there is memory.
  }

  /** Returns System.nanoTime() when the period ends; in an hour if there is nothing to decide. */
  public long next() {
    return loops.size() > 1 ? periodBegan + PERIOD_NANOS : System.nanoTime() + NEVER_NANOS;
  }

  /** Decides at the end of a period, which is longer where the watchdog was asleep. */
  public void look() {
    long now = System.nanoTime();
    if (now - next() >= 0) {
      endPeriod(now);
      periodBegan = now;
    }
  }

  private void endPeriod(long now) {
    long nanos = now - periodBegan;
    int inUse = count.inUse();
    double sum = 0;
    double busiest = 0;
    for (int i = 0; i < loops.size(); i++) {
      long idle = loops.get(i).idleNanos(now);
      double share = 1 - (double) (idle - idleNanos[i]) / nanos;
      idleNanos[i] = idle;
      sum += i < inUse ? share : 0;
      busiest = Math.max(busiest, i < inUse ? share : 0);
    }
    boolean mustDecide = count.mustDecide(busiest);
    if (mustDecide) {
      double idle = CpuLoad.idleProcessors();
      double elsewhere = CpuLoad.processors() - idle - leaders(nanos);
      // The first value covers more than this period, so it is not used.
      if (idleKnown) {
        int periods = (int) Math.min(nanos / PERIOD_NANOS, Integer.MAX_VALUE / 2);
        count.next(periods, busiest, sum, idle, elsewhere);
      }
    }
    // Otherwise the look at the processors is spared.
    idleKnown = mustDecide;
    // Though nothing has changed: connections that were being served may still be where they were.
    loops.use(count.inUse());
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
