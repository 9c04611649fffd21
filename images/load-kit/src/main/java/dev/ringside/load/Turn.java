package dev.ringside.load;

/** What a thread does over and over. */
interface Turn {
  /** Whether there is a connection to do it on. */
  boolean open();

  /** The next operation was due then, by {@link System#nanoTime}. */
  default void due(long nanos) {
    // not everybody wants to know
  }

  /** Does one operation. */
  Outcome take();
}
