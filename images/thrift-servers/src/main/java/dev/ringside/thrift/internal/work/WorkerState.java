package dev.ringside.thrift.internal.work;

/** Lists the states of a server's thread; see {@link Roster} for the transitions. */
public enum WorkerState {
  /** It leads a loop, runs requests, or is between two of them. It is never woken. */
  RUNNING,
  /** It was woken or just started, and searches for work. Publishers may rely on it. */
  SEARCHING,
  /** It has no work. Publishers wake it. */
  PARKED,
  /**
   * It waits for the next request of its own connection. It is recalled if no other thread comes.
   */
  LINGERING
}
