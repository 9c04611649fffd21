package dev.ringside.load;

/** What a thread does over and over. */
interface Turn {
  /** Whether there is a connection to do it on. */
  boolean open();

  /** Does one operation; null if it failed. */
  Outcome take();
}
