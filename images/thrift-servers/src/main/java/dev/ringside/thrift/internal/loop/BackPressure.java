package dev.ringside.thrift.internal.loop;

import java.util.concurrent.atomic.LongAdder;

/**
 * Hands connections of one event loop to workers. While the ring is full it keeps them out of the
 * loop, so that nothing more is read from them. For the loop's leader.
 */
public final class BackPressure {
  private final WorkerPool workers;
  private final LongAdder nanos;
  private final PutOff forRoom;

  /**
   * Creates it.
   *
   * @param forRoom the connections that the loop has put off until the ring has room
   * @param nanos counts the time in which there were any
   */
  public BackPressure(WorkerPool workers, PutOff forRoom, LongAdder nanos) {
    this.workers = workers;
    this.forRoom = forRoom;
    this.nanos = nanos;
  }

  public void handOff(Connection connection, long now) {
    connection.handedOffAt = now;
    // In the order in which they came.
    if (!forRoom.isEmpty() || !workers.submit(connection)) {
      forRoom.add(connection);
    }
  }

  /** Hands off those that wait, as far as there is room now. */
  public void retry() {
    if (forRoom.isEmpty()) {
      return;
    }
    while (!forRoom.isEmpty() && workers.submit(forRoom.peek())) {
      forRoom.poll();
    }
    if (forRoom.isEmpty()) {
      nanos.add(System.nanoTime() - forRoom.since());
    }
  }
}
