package dev.ringside.counters;

import com.sun.management.ThreadMXBean;
import dev.ringside.contract.DiskTraffic;
import dev.ringside.contract.ProcessCounters;
import java.lang.management.ManagementFactory;
import java.nio.file.Paths;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The resources that this JVM has used: CPU time in total and by group of threads, garbage
 * collections and their pauses, bytes read from disks and written to them. A reading takes some 1
 * ms for 500 threads, mostly for Java's lookup of each thread by number; this time is not part of
 * the values. For one thread.
 */
public final class JvmCounters implements Supplier<Map<String, Long>> {
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final NativeThreads nativeThreads = new NativeThreads(Paths.get("/proc/self/task"));
  private final GroupTimes times = new GroupTimes();
  private final ProcessCounters process;
  private final ThreadGroup root;
  private Thread[] all = new Thread[256];

  /**
   * Creates the counters of this process.
   *
   * @param warn receives one message, here, if the exact CPU time is not available
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
    // Read after the groups: CPU time between the two readings then counts as the rest, which
    // cannot become negative.
    Map<String, Long> counters = process.get();
    times.totals().forEach((group, nanos) -> counters.put(group.counter(), nanos));
    counters.putAll(DiskTraffic.now());
    return counters;
  }

  private void readJavaThreads() {
    int count = root.enumerate(all, true);
    while (count == all.length) {
      // The array may have been too short.
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
