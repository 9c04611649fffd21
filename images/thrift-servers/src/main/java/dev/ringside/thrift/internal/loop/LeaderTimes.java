package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.habits.CpuClock;
import java.util.HashMap;
import java.util.Map;

/** Measures the CPU time of the leaders of event loops. Not thread-safe. */
public final class LeaderTimes {
  private Map<Thread, Long> before = new HashMap<>();

  /**
   * Returns how many processors the leaders of the loops in use have used since the last call,
   * which was {@code nanos} ago. A new leader counts as having used one processor. Costs a system
   * call for each.
   */
  public double since(EventLoops loops, long nanos) {
    Map<Thread, Long> now = new HashMap<>();
    double used = 0;
    for (int i = 0; i < loops.inUse(); i++) {
      Leadership leadership = loops.get(i).leadership();
      if (leadership == null) {
        continue;
      }
      Thread leader = leadership.thread;
      long time = CpuClock.nanosOf(leader);
      Long last = before.get(leader);
      used += time < 0 || last == null ? 1 : (double) (time - last) / nanos;
      now.put(leader, time);
    }
    before = now;
    return used;
  }
}
