package dev.ringside.thrift;

import java.util.HashMap;
import java.util.Map;

/** How much CPU time the leaders of event loops use. Not thread-safe. */
final class LeaderTimes {
  private Map<Thread, Long> before = new HashMap<>();

  /**
   * The processors that the leaders of the loops in use used since the last call, that many ns ago;
   * a leader that was none then counts as one that used a processor for itself. Costs a system call
   * each.
   */
  double since(EventLoops loops, long nanos) {
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
