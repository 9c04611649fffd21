package dev.ringside.http.lsm;

/**
 * The store cannot take a write now: both tables in memory are full, one of them is being flushed.
 */
public final class BusyException extends Exception {
  private static final long serialVersionUID = 1;

  BusyException() {
    // Thrown often when it is: where it came from is known, and a stack trace is dear.
    super("full until a flush is done", null, false, false);
  }
}
