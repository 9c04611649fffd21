package dev.ringside.thrift.internal.habits;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Reads the CPU time of threads. */
public final class CpuClock {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final boolean SUPPORTED =
      THREADS.isThreadCpuTimeSupported() && THREADS.isThreadCpuTimeEnabled();

  private CpuClock() {}

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
}
