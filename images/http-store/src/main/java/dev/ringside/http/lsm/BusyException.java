package dev.ringside.http.lsm;

/**
 * Reports that the store cannot accept a write now: the active table in memory is full, and the
 * other one is being flushed.
 */
public final class BusyException extends Exception {
  private static final long serialVersionUID = 1;

  BusyException() {
    // A busy store throws this often. The stack trace is expensive and the cause is known.
    super("full until a flush is done", null, false, false);
  }
}
