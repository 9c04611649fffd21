package dev.ringside.thrift.internal.loop;

/**
 * Hands connections of one event loop to workers. While the ring is full it keeps them out of the
 * loop, so that nothing more is read from them. For the loop's leader.
 */
public final class BackPressure {
  private final ServerCore server;
  private final PutOff forRoom;

  public BackPressure(EventLoop loop) {
    this.server = loop.server();
    this.forRoom = loop.deferred().forRoom();
  }

  public void handOff(Connection connection, long now) {
    connection.handedOffAt = now;
    // In the order in which they came.
    if (!forRoom.isEmpty() || !server.workers().submit(connection)) {
      forRoom.add(connection);
    }
  }

  /** Hands off those that wait, as far as there is room now. */
  public void retry() {
    if (forRoom.isEmpty()) {
      return;
    }
    for (Connection next = forRoom.peek();
        next != null && server.workers().submit(next);
        next = forRoom.peek()) {
      forRoom.poll();
    }
    if (forRoom.isEmpty()) {
      server.metrics().backpressureNanos.add(System.nanoTime() - forRoom.since());
    }
  }
}
