package dev.ringside.thrift.internal.work;

/**
 * Passes connections from event loops to workers, if their next request must not run where it was
 * read. Any number of threads may publish and take; each entry is taken once.
 *
 * <p>The server uses {@link HandOffRing}; other implementations exist for comparison. This is a
 * class and not an interface, so that the JIT compiler inlines its methods while only one subclass
 * is loaded.
 */
public abstract class HandOff<T> {
  /** Publishes an entry; returns false if there is no room. */
  public abstract boolean offer(T entry);

  /**
   * Takes the oldest entry; returns null if there is none. The entry must not be offered again
   * before this returns.
   */
  public abstract T poll();

  /** Reports whether no entry waits to be taken. */
  public abstract boolean isEmpty();

  /** Reports whether an entry could be published. */
  public abstract boolean hasRoom();

  /** Returns how many entries wait to be taken. */
  public abstract int occupancy();

  /** Returns how many entries it can hold. */
  public abstract int size();

  /**
   * Reports whether workers poll it and publishers wake them. If not, it has threads of its own,
   * which serve the offered entries.
   */
  public boolean isPolled() {
    return true;
  }

  /** Returns how many threads of its own serve now; a stop waits for them. */
  public int threads() {
    return 0;
  }

  /** Takes an entry to close instead of serving it; returns null if there is none. */
  public T takeBack() {
    return poll();
  }

  /** Ends its own threads, if it has any: nothing is offered any more. */
  public void end() {
    // the server's workers end by themselves
  }
}
