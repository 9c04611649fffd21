package dev.ringside.contract;

import com.sun.jna.Native;

/**
 * The number of context switches, voluntary and involuntary, of the process, by getrusage, which
 * includes ended threads. It is one system call of less than a microsecond per thread.
 */
final class ContextSwitches {
  private static final int PROCESS = 0;

  /** Linux's struct rusage is two times and fourteen counts, 18 longs; these are the last two. */
  private static final int LONGS = 18;

  private static final int VOLUNTARY = 16;
  private static final int INVOLUNTARY = 17;

  private static final boolean TOLD = works();

  private ContextSwitches() {}

  /** Calls the C library through JNA, which the store provides (Cassandra has its own). */
  private static final class Libc {
    static {
      Native.register("c");
    }

    private static native int getrusage(int who, long[] usage);

    static long switches() {
      long[] usage = new long[LONGS];
      return getrusage(PROCESS, usage) == 0 ? usage[VOLUNTARY] + usage[INVOLUNTARY] : -1;
    }
  }

  private static boolean works() {
    try {
      return Native.LONG_SIZE == Long.BYTES && Libc.switches() >= 0;
    } catch (LinkageError | RuntimeException e) {
      return false; // ProcessClock, which needs JNA too, has printed a warning
    }
  }

  /** Reports whether context switches are available on this machine. */
  static boolean areTold() {
    return TOLD;
  }

  /** Returns the number since the process began. */
  static long now() {
    return Libc.switches();
  }
}
