package dev.ringside.thrift;

/** Where the threads of a {@link Roster} come from. */
interface Staff {
  /**
   * Starts a thread, which {@link Roster#begin begins} with a new duty. It is counted already; if
   * it cannot be started, {@link Roster#notStarted()} must be called.
   */
  void start();

  /** Has {@link Roster#lacksThreads()} looked at soon, and again until it is false. */
  void watch();
}
