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

  /** Ends the connection; without effect if it has ended. */
  @Override
  void close();
}
