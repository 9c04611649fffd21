package dev.ringside.thrift.internal.habits;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.lang.management.ThreadMXBean;

/**
 * Reads the CPU time of threads, the load of the processors that this JVM may use, those of its
 * container or else of the machine, and its limit of direct memory.
 */
public final class CpuLoad {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final boolean SUPPORTED =
      THREADS.isThreadCpuTimeSupported() && THREADS.isThreadCpuTimeEnabled();
  private static final OperatingSystemMXBean SYSTEM = ManagementFactory.getOperatingSystemMXBean();

  private CpuLoad() {}

  /**
   * Returns the CPU time of a thread in ns, negative if the thread has ended or the JVM does not
   * know. Costs a system call.
   */
  public static long nanosOf(Thread thread) {
    return SUPPORTED ? THREADS.getThreadCpuTime(thread.getId()) : -1;
  }

  /**
   * Returns the CPU time of the current thread in ns, or elapsed time where the JVM does not know
   * it. Costs a system call.
   */
  public static long nanos() {
    return SUPPORTED ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
  }

  /** Returns how many processors there are. */
  public static int processors() {
    return SYSTEM.getAvailableProcessors();
  }

  /** Returns the limit of direct memory in bytes; that of the heap where the JVM does not know. */
  public static long maxDirectBytes() {
    try {
      long limit =
          Long.parseLong(
              ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                  .getVMOption("MaxDirectMemorySize")
                  .getValue());
      return limit > 0 ? limit : Runtime.getRuntime().maxMemory();
    } catch (RuntimeException e) {
      // Another JVM than HotSpot.
      return Runtime.getRuntime().maxMemory();
    }
  }

  /**
   * Returns how many processors were idle on average since the last call; all of them where the JVM
   * does not know. Costs some hundred µs.
   */
  @SuppressWarnings("deprecation") // its new name is not known to Java 8
  public static double idleProcessors() {
    int all = processors();
    if (!(SYSTEM instanceof com.sun.management.OperatingSystemMXBean)) {
      return all;
    }
    double load = ((com.sun.management.OperatingSystemMXBean) SYSTEM).getSystemCpuLoad();
    return load >= 0 ? (1 - load) * all : all;
  }
}
