package dev.ringside.thrift;

/** What a thread of the server does; see {@link Roster} for how it changes. */
enum WorkerState {
  /** It leads a loop, runs requests, or is between two of them. Nobody wakes it. */
  RUNNING,
  /** It is on its way to the work, woken or just started. Who publishes may rely on it. */
  SEARCHING,
  /** It has nothing to do. Who publishes wakes it. */
  PARKED,
  /** It waits for the next request of its own connection. It is recalled if nobody else comes. */
  LINGERING
}
