package dev.ringside.thrift;

/**
 * What there is to do for threads that have nothing to do. Whoever publishes some of it tells the
 * {@link Roster} afterwards.
 */
interface Work {
  /** Whether there is any. */
  boolean exists();

  /** Whether some of it cannot wait for a thread to get free: it may cost one beyond the limit. */
  boolean isUrgent();
}
