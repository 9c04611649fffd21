package dev.ringside.thrift;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** The CPU time of the current thread. */
final class CpuClock {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final boolean SUPPORTED =
      THREADS.isCurrentThreadCpuTimeSupported() && THREADS.isThreadCpuTimeEnabled();

  private CpuClock() {}

  /**
   * In ns; costs a system call. Where the JVM cannot tell, the time on the clock, the next best
   * thing.
   */
  static long nanos() {
    return SUPPORTED ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
  }
}
