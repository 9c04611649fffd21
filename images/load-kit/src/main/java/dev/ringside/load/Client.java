package dev.ringside.load;

/** One connection to a server. For one thread at a time. */
public interface Client extends AutoCloseable {
  /**
   * Does one operation, or {@link CommonOrders#batch} of them. Returns when all were answered
   * correctly, or will not be answered.
   *
   * @param number number of the (first) operation in this pod, from 0, over all threads and
   *     servers; for loads that walk through their keys
   * @return the outcome of all of them; {@link Outcome#DONE} where outcomes have no names
   * @throws ConnectionLostException if the connection can no longer be used
   * @throws Exception if the operations failed
   */
  Outcome operate(long number) throws Exception;

  /**
   * Receives the due time of the next call of {@link #operate}, as {@link System#nanoTime}. Called
   * before each operation. At a constant rate an operation can begin long after it was due; a load
   * that sends the due time to the server needs it here.
   */
  default void due(long nanos) {
    // Most loads do not need it.
  }

  /** Closes the connection; has no effect if it is closed. */
  @Override
  void close();
}
