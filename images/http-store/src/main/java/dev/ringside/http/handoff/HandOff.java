package dev.ringside.http.handoff;

/**
 * Passes requests from the selectors to the threads that answer them. The servers that are compared
 * differ in this.
 */
public interface HandOff extends AutoCloseable {
  /** Accepts a request from a selector, or rejects it if there is no room. */
  void give(Task task);

  /** Returns the number of accepted requests that wait for a thread. */
  long waiting();

  /** Returns the object whose class the proof names. */
  Object essence();

  /** Ends the threads after their current requests. */
  @Override
  void close();
}
