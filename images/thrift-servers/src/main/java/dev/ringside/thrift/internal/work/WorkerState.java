package dev.ringside.thrift.internal.work;

/** Lists the states of a server's thread; see {@link Roster} for the transitions. */
public enum WorkerState {
  /**
   * It leads a loop, runs requests, or is about to check for work. It is never woken, and checks for
   * work before it leaves this state.
   */
  RUNNING,
  /** It has no work. Publishers wake it. */
  PARKED,
  /**
   * It waits for the next request of its own connection. It is recalled if no other thread comes.
   */
  LINGERING
}
