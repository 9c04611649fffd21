package dev.ringside.http.handoff;

/**
 * Is a request on its way from a selector to the thread that answers it. Its methods throw nothing.
 */
public interface Task extends Runnable {
  /** Answers that the server is too busy. */
  void refuse();
}
