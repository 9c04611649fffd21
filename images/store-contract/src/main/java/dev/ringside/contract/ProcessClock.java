package dev.ringside.contract;

import com.sun.jna.Native;
import java.lang.management.ManagementFactory;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The CPU time of the process, ended threads included, in ns, by clock_gettime: less than a
 * microsecond per thread of it, in one system call. Java's own getProcessCpuTime counts in ticks of
 * 10 ms (seen on 8 and 17), which is some percent of what a node uses in a second.
 */
final class ProcessClock {
  private static final int PROCESS = 2;
  private static final int THREAD = 3;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private ProcessClock() {}

  /** By the C library, through JNA, which the store brings (Cassandra has its own). */
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

  /** Whoever asks is not what is measured: without the time of the thread that reads. */
  private static final class Others implements LongSupplier {
    private long last;

    @Override
    public long getAsLong() {
      // The first is a moment older, so that there is a microsecond of this thread in it.
      long own = Libc.nanos(THREAD);
      last = Math.max(last, Libc.nanos(PROCESS) - own);
      return last;
    }
  }

  /**
   * That of all threads but the one that reads it, which is always the same. Where JNA does not
   * work, of all threads by Java's own clock; {@code warn} is told.
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
