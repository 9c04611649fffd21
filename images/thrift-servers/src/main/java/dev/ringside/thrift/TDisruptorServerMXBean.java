package dev.ringside.thrift;

import java.util.List;

/**
 * What a running server tells over JMX, under {@code
 * dev.ringside.thrift:type=TDisruptorServer,name=...}. Totals count from the start of the server;
 * times are in ns unless the name says otherwise.
 */
public interface TDisruptorServerMXBean {
  /** Whether clients should be sent here; see {@link TDisruptorServer#isReady}. */
  boolean isReady();

  /**
   * Drains the server, which remains to be stopped; see {@link TDisruptorServer#drain}. Returns
   * when that is done.
   *
   * @return how many connections were cut off, 0 if all was answered
   */
  int drain(long timeoutMillis) throws InterruptedException;

  /** Connections that are open. */
  int getConnections();

  /** Connections accepted. */
  long getAcceptedTotal();

  /** Connections that could not be accepted, for lack of file descriptors in most cases. */
  long getAcceptFailuresTotal();

  /** Connections refused because the limit was reached. */
  long getRefusedTotal();

  /** Connections closed because they were idle for too long. */
  long getIdleClosedTotal();

  /**
   * Connections closed because their client did not read, or did not finish a frame, for too long.
   */
  long getStalledClosedTotal();

  /**
   * Connections closed at the end of a drain or a stop though they had a request that was not
   * answered, or a part of one.
   */
  long getCutOffTotal();

  /** Requests that ran on the thread that read them. */
  long getInlineRequestsTotal();

  /** Requests that ran on a worker. */
  long getHandedOffRequestsTotal();

  /** Times that a worker waited for its connection's next request and went without it. */
  long getLingersInVainTotal();

  /** Times that an event loop got a new leader because a request blocked the old one. */
  long getPromotionsTotal();

  /** Time spent in processors, encoding and decoding included. */
  long getHandlerNanosTotal();

  /** Time that handed-off requests waited for a worker. */
  long getQueueNanosTotal();

  /**
   * The longest time that a handed-off request has waited for a worker since this was last read.
   */
  long getQueueNanosMax();

  /** Time during which the ring was full and event loops held requests back. */
  long getBackpressureNanosTotal();

  /** Entries of the ring. */
  int getRingSize();

  /** Entries of the ring that wait for a worker. */
  int getRingOccupancy();

  /** Event loops that connections are spread over at present. */
  int getEventLoops();

  /** Threads, those that lead event loops and virtual ones included. */
  int getThreads();

  /** Threads that have nothing to do. */
  int getParkedThreads();

  /** Threads that wait for the next request of the connection that they served last. */
  int getLingeringThreads();

  /** Memory held for requests that are received and not executed yet, or reserved for them. */
  long getReadBufferBytes();

  /** Bytes received. */
  long getBytesReadTotal();

  /** Bytes sent. */
  long getBytesWrittenTotal();

  /** Frames and messages that were not understood. */
  long getBadFramesTotal();

  /** Requests whose handler threw what its interface does not declare. */
  long getHandlerFailuresTotal();

  /** See {@link TDisruptorServer#methodMetrics}. */
  List<MethodMetrics> getMethods();
}
