package dev.ringside.cassandra.counters;

/** Gives tests of other packages access to the groups of threads. */
public final class Groups {
  private Groups() {}

  /** Reports whether a thread belongs to a Thrift server. */
  public static boolean ofServer(Thread thread) {
    return CpuGroup.of(thread) == CpuGroup.SERVER;
  }
}
