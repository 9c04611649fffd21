package dev.ringside.contract;

import com.sun.jna.Native;
import java.lang.management.ManagementFactory;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The CPU time of the process, in ns, by clock_gettime, which includes ended threads. It is one
 * system call of less than a microsecond per thread. Java's getProcessCpuTime counts in ticks of 10
 * ms (seen on Java 8 and 17), which is some percent of what a node uses in a second.
 */
final class ProcessClock {
  private static final int PROCESS = 2;
  private static final int THREAD = 3;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private ProcessClock() {}

  /** Calls the C library through JNA, which the store provides (Cassandra has its own). */
  private static final class Libc {
    static {
      Native.register("c");
    }

    private static native int clock_gettime(int clock, long[] secondsAndNanos);

    static long nanos(int clock) {
      long[] time = new long[2];
      if (clock_gettime(clock, time) != 0) {
        throw new IllegalStateException("clock_gettime tells no CPU time of this process");
      }
      return time[0] * NANOS_PER_SECOND + time[1];
    }
  }

  /** The CPU time without that of the reading thread, which is not part of the measurement. */
  private static final class Others implements LongSupplier {
    private long last;

    @Override
    public long getAsLong() {
      // The thread's time is read first, so that about a microsecond of this thread is included.
      long own = Libc.nanos(THREAD);
      last = Math.max(last, Libc.nanos(PROCESS) - own);
      return last;
    }
  }

  /**
   * Returns a clock of the CPU time of all threads except the one that reads it. Always read it on
   * the same thread. Where JNA does not work, it returns Java's own clock of all threads.
   *
   * @param warn receives a message if JNA does not work
   */
  static LongSupplier ofOtherThreads(Consumer<String> warn) {
    String cause = "its long has not 64 bits";
    try {
      if (Native.LONG_SIZE == Long.BYTES && Libc.nanos(PROCESS) > 0) {
        return new Others();
      }
    } catch (LinkageError | RuntimeException e) {
      cause = e.toString();
    }
    warn.accept(
        "the CPU time of the process is known to 10 ms only: JNA does not work here: " + cause);
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        ::getProcessCpuTime;
  }
}
