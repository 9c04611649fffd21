package dev.ringside.thrift.internal.work;

/** Supplies the threads of a {@link Roster}. */
public interface Staff {
  /**
   * Starts a thread, which {@link Roster#begin begins} with a new duty. It is counted already. If
   * it cannot be started, the implementation must call {@link Roster#notStarted()}.
   */
  void start();

  /** Makes {@link Roster#lacksThreads()} be checked soon, and again until it returns false. */
  void watch();
}
