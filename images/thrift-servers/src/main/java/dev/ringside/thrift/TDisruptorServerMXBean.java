package dev.ringside.thrift;

/**
 * Exposes a running server over JMX, as {@code dev.ringside.thrift:type=TDisruptorServer,name=...}.
 * Totals count from the start of the server. Times are in ns unless the name says otherwise.
 */
public interface TDisruptorServerMXBean {
  /**
   * Reports whether clients should be sent to this server; see {@link TDisruptorServer#isReady}.
   */
  boolean isReady();

  /**
   * Drains the server and returns when that is done; see {@link TDisruptorServer#drain}. The server
   * must still be stopped.
   *
   * @return how many connections were cut off; 0 if everything was answered
   */
  int drain(long timeoutMillis) throws InterruptedException;

  /** Returns the number of open connections. */
  int getConnections();

  /** Returns how many connections were accepted. */
  long getAcceptedTotal();

  /**
   * Returns how many connections could not be accepted, in most cases for lack of file descriptors.
   */
  long getAcceptFailuresTotal();

  /** Returns how many connections were closed at once because the limit was reached. */
  long getRefusedTotal();

  /** Returns how many connections were closed because they were idle for too long. */
  long getIdleClosedTotal();

  /**
   * Returns how many connections were closed because their client did not read, or did not finish a
   * frame, for too long.
   */
  long getStalledClosedTotal();

  /**
   * Returns how many connections were closed at the end of a drain or a stop although they had a
   * request, or a part of one, that was not answered.
   */
  long getCutOffTotal();

  /** Returns how many requests were not run because they had waited too long for a worker. */
  long getExpiredRequestsTotal();

  /** Returns how many requests ran on the thread that read them. */
  long getInlineRequestsTotal();

  /** Returns how many requests ran on a worker. */
  long getHandedOffRequestsTotal();

  /** Returns how often a worker waited for its connection's next request in vain. */
  long getLingersInVainTotal();

  /** Returns how often an event loop got a new leader because a request blocked the old one. */
  long getPromotionsTotal();

  /** Returns the time spent in processors, including encoding and decoding. */
  long getHandlerNanosTotal();

  /** Returns the time for which handed-off requests waited for a worker. */
  long getQueueNanosTotal();

  /** Returns the time for which the ring was full and event loops did not read. */
  long getBackpressureNanosTotal();

  /** Returns the capacity of the ring, in entries. */
  int getRingSize();

  /** Returns how many entries of the ring wait for a worker. */
  int getRingOccupancy();

  /** Returns how many event loops are in use. */
  int getEventLoops();

  /** Returns the number of threads, including leaders of event loops. */
  int getThreads();

  /** Returns how many threads have nothing to do. */
  int getParkedThreads();

  /** Returns how many threads wait for the next request of the connection that they served last. */
  int getLingeringThreads();

  /**
   * Returns the memory held or reserved for requests that are received and not run yet, in bytes.
   */
  long getReadBufferBytes();

  /** Returns how many bytes were received. */
  long getBytesReadTotal();

  /** Returns how many bytes were sent. */
  long getBytesWrittenTotal();

  /** Returns how many frames and messages could not be decoded. */
  long getBadFramesTotal();

  /** Returns how many requests ended with an exception that the interface does not declare. */
  long getHandlerFailuresTotal();

  /**
   * Returns how often a thread of the server, or a hook, failed unexpectedly, in most cases for
   * lack of memory. The thread goes on.
   */
  long getFailuresTotal();
}
