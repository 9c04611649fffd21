package dev.ringside.cassandra.counters;

import com.sun.management.ThreadMXBean;
import dev.ringside.contract.ProcessCounters;
import java.lang.management.ManagementFactory;
import java.nio.file.Paths;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What this JVM used so far: CPU time as a whole and by group of threads, collections and their
 * pauses. Some 1 ms for 500 threads, of which Java's lookup of each thread by its number is most;
 * that time is in no figure. For one thread.
 */
public final class JvmCounters implements Supplier<Map<String, Long>> {
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final NativeThreads nativeThreads = new NativeThreads(Paths.get("/proc/self/task"));
  private final GroupTimes times = new GroupTimes();
  private final ProcessCounters process;
  private final ThreadGroup root;
  private Thread[] all = new Thread[256];

  /**
   * Of this process.
   *
   * @param warn told once, here, if its CPU time cannot be had exactly
   */
  public JvmCounters(Consumer<String> warn) {
    process = new ProcessCounters(warn);
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    while (group.getParent() != null) {
      group = group.getParent();
    }
    root = group;
  }

  @Override
  public Map<String, Long> get() {
    readJavaThreads();
    nativeThreads.read(times, System.nanoTime());
    times.endReading();
    // After the groups: what is used between the two clocks is in the rest, which so is not
    // negative.
    Map<String, Long> counters = process.get();
    times.totals().forEach((group, nanos) -> counters.put(group.counter(), nanos));
    return counters;
  }

  private void readJavaThreads() {
    int count = root.enumerate(all, true);
    while (count == all.length) {
      // It may hold no more than it has room for.
      all = new Thread[2 * all.length];
      count = root.enumerate(all, true);
    }
    long[] ids = new long[count];
    for (int i = 0; i < count; i++) {
      ids[i] = all[i].getId();
    }
    long[] nanos = threads.getThreadCpuTime(ids);
    for (int i = 0; i < count; i++) {
      if (nanos[i] >= 0) {
        times.add(ids[i], CpuGroup.of(all[i]), nanos[i]);
      }
      all[i] = null;
    }
  }
}
