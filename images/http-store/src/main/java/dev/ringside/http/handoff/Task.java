package dev.ringside.http.handoff;

/** A request on its way from a selector to the thread that answers it. Throws nothing. */
public interface Task extends Runnable {
  /** Answers that the server is too busy. */
  void refuse();
}
