package dev.ringside.load;

/** One connection to a server, for one thread at a time. */
public interface Client extends AutoCloseable {
  /**
   * Does one operation, or {@link CommonOrders#batch} of them, and returns when all were answered,
   * and answered right, or will not be.
   *
   * @param number of the (first) operation in this pod, from 0, over all threads and servers: for
   *     loads that walk through their keys
   * @return what became of all: {@link Outcome#DONE} where there is nothing to tell apart
   * @throws ConnectionLostException if the connection is of no more use
   * @throws Exception if they failed
   */
  Outcome operate(long number) throws Exception;

  /**
   * When the next call of {@link #operate} was due, by {@link System#nanoTime}; at a constant rate
   * it may have been due long before it begins. Told before each, for loads that carry it along.
   */
  default void due(long nanos) {
    // most loads leave that to their log
  }

  /** Ends the connection; without effect if it has ended. */
  @Override
  void close();
}
