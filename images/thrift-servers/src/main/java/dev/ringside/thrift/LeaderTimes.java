package dev.ringside.thrift;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How much CPU time the leaders of event loops use. Not thread-safe. */
final class LeaderTimes {
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private Map<Thread, Long> before = new HashMap<>();

  /**
   * The processors that the loops' leaders used since the last call, that many ns ago; a leader
   * that was none then counts as one that used a processor for itself. Costs a system call each.
   */
  double since(List<EventLoop> loops, long nanos) {
    Map<Thread, Long> now = new HashMap<>();
    double used = 0;
    for (EventLoop loop : loops) {
      Leadership leadership = loop.leadership();
      if (leadership == null) {
        continue;
      }
      Thread leader = leadership.thread;
      long time =
          threads.isThreadCpuTimeSupported() ? threads.getThreadCpuTime(leader.getId()) : -1;
      Long last = before.get(leader);
      used += time < 0 || last == null ? 1 : (double) (time - last) / nanos;
      now.put(leader, time);
    }
    before = now;
    return used;
  }
}
