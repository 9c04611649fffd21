package dev.ringside.thrift;

/**
 * What is between the event loops and the workers: connections whose next request must not run
 * where it was read. Any number of publishers and takers; each entry is taken once.
 *
 * <p>The server has one, the {@link HandOffRing}; others exist to be raced against it. A class and
 * not an interface: as long as one of its kind is loaded, its methods are called, and inlined, as
 * those of that one would be.
 */
abstract class HandOff<T> {
  /** Publishes an entry; false if there is no room. */
  abstract boolean offer(T entry);

  /**
   * Takes the oldest entry, or null if there is none. Until this returns it must not be offered
   * again.
   */
  abstract T poll();

  /** Whether no entry waits to be taken. */
  abstract boolean isEmpty();

  /** Whether an entry could be published. */
  abstract boolean hasRoom();

  /** Entries that wait to be taken. */
  abstract int occupancy();

  /** Entries that it can hold. */
  abstract int size();

  /**
   * Whether workers poll it and publishers wake them. If not, it has threads of its own, which
   * {@link Worker#serve serve} what is offered.
   */
  boolean isPolled() {
    return true;
  }

  /** Threads of its own that serve at this moment, for which a stop waits. */
  int threads() {
    return 0;
  }

  /** Whether entries wait because a thread of its own could not be started. */
  boolean lacksThreads() {
    return false;
  }

  /** Tries again to start a thread that {@link #lacksThreads()} tells of. */
  void relieve() {
    // those of the server are the roster's
  }

  /** Takes an entry that is to be closed in place of being served, or null if there is none. */
  T takeBack() {
    return poll();
  }

  /** Nothing is offered any more: its own threads, if it has any, may end. */
  void end() {
    // the server's workers end by themselves
  }
}
