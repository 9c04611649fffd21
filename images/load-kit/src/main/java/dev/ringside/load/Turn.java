package dev.ringside.load;

/** The work that a thread of a load repeats. */
interface Turn {
  /** Reports whether there is an open connection. */
  boolean open();

  /** Receives the due time of the next operation, as {@link System#nanoTime}. */
  default void due(long nanos) {
    // not all implementations need it
  }

  /** Does one operation. */
  Outcome take();
}
