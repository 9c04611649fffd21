package dev.ringside.contract;

import com.sun.jna.Native;

/**
 * How often threads of the process came off a core, because they waited or because others had their
 * turn: by getrusage, ended threads included. Less than a microsecond per thread, in one system
 * call.
 */
final class ContextSwitches {
  private static final int PROCESS = 0;

  /** struct rusage of Linux is two times and fourteen counts, all told 18 longs; the last two. */
  private static final int LONGS = 18;

  private static final int VOLUNTARY = 16;
  private static final int INVOLUNTARY = 17;

  private static final boolean TOLD = works();

  private ContextSwitches() {}

  /** By the C library, through JNA, which the store brings (Cassandra has its own). */
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
      return false; // as the process's clock has said, which needs the same
    }
  }

  /** Whether they can be had here. */
  static boolean areTold() {
    return TOLD;
  }

  /** Since the process began. */
  static long now() {
    return Libc.switches();
  }
}
