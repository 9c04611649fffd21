package dev.ringside.thrift;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** The CPU time of threads. */
final class CpuClock {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final boolean SUPPORTED =
      THREADS.isThreadCpuTimeSupported() && THREADS.isThreadCpuTimeEnabled();

  private CpuClock() {}

  /** That of a thread in ns, negative if it has ended or the JVM cannot tell; a system call. */
  static long nanosOf(Thread thread) {
    return SUPPORTED ? THREADS.getThreadCpuTime(thread.getId()) : -1;
  }

  /**
   * That of the current thread in ns; costs a system call. Where the JVM cannot tell, the time on
   * the clock, the next best thing.
   */
  static long nanos() {
    return SUPPORTED ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
  }
}
