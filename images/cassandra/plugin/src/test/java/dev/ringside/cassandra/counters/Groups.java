package dev.ringside.cassandra.counters;

/** Which threads count as what, for tests of who makes them. */
public final class Groups {
  private Groups() {}

  /** Whether it is a Thrift server's. */
  public static boolean ofServer(Thread thread) {
    return CpuGroup.of(thread) == CpuGroup.SERVER;
  }
}
