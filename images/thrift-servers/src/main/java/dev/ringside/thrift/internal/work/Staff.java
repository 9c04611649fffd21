package dev.ringside.thrift.internal.work;

/**
 * Supplies the threads of a {@link Roster}, and tells it whether there is work for them. A
 * publisher of work notifies the roster afterwards.
 */
public interface Staff {
  /** Reports whether there is any work. */
  boolean hasWork();

  /**
   * Reports whether some of it cannot wait for a free thread, so that a thread may exceed the
   * limit.
   */
  boolean hasUrgentWork();

  /**
   * Starts a thread, which {@link Roster#begin begins} with a new duty. It is counted already. If
   * it cannot be started, the implementation must call {@link Roster#notStarted()}.
   */
  void start();

  /** Makes {@link Roster#lacksThreads()} be checked soon, and again until it returns false. */
  void watch();
}
