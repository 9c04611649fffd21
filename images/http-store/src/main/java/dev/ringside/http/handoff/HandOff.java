package dev.ringside.http.handoff;

/** How requests come from the selectors to the threads that answer them: what is compared here. */
public interface HandOff extends AutoCloseable {
  /** Takes a request from a selector, or refuses it where there is no room. */
  void give(Task task);

  /** Requests that were taken and wait for a thread. */
  long waiting();

  /** The object that makes this one what it is, for the proof. */
  Object essence();

  /** Ends the threads, after what they are at. */
  @Override
  void close();
}
