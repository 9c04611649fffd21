package dev.ringside.thrift.internal.work;

/**
 * Tells a {@link Roster} whether there is work for its threads. A publisher of work notifies the
 * roster afterwards.
 */
public interface Work {
  /** Reports whether there is any work. */
  boolean exists();

  /**
   * Reports whether some of it cannot wait for a free thread, so that a thread may exceed the
   * limit.
   */
  boolean isUrgent();
}
