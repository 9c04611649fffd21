package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.metrics.Failure;
import dev.ringside.thrift.internal.metrics.Metrics;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import org.apache.thrift.transport.TNonblockingTransport;
import org.jspecify.annotations.Nullable;

/**
 * Adds connections to an event loop, and gives them to workers and other loops. For the loop's
 * leader only.
 */
public final class LoopMembers {
  private final ServerRun run;
  private final WorkerPool workers;
  private final EventLoop loop;
  private final Io io;

  public LoopMembers(ServerRun run, WorkerPool workers, EventLoop loop, Io io) {
    this.run = run;
    this.workers = workers;
    this.loop = loop;
    this.io = io;
  }

  /** Registers a new connection with the selector; returns null if that fails. */
  public @Nullable Connection register(TNonblockingTransport transport) {
    SelectionKey key = null;
    try {
      key = transport.registerSelector(loop.selector, SelectionKey.OP_READ);
      Connection connection = new Connection(run, loop, transport, key);
      key.attach(connection);
      return connection;
    } catch (Throwable e) {
      // An IOException is its client's, who is gone again. Memory may be short, and a user's TLS
      // context may throw anything.
      Metrics metrics = run.metrics;
      (e instanceof IOException ? metrics.acceptFailures : metrics.failures)
          .add(Failure.SET_UP, "a new client", "", e);
      if (key != null) {
        key.cancel();
      }
      try {
        transport.close();
      } finally {
        loop.connectionEnded();
      }
      return null;
    }
  }

  public void takeAdopted() {
    for (Connection connection = loop.adopted.poll();
        connection != null;
        connection = loop.adopted.poll()) {
      try {
        connection.moveTo(loop, register(connection));
        connection.ownership.putBack();
        loop.deferred.arrived(connection);
      } catch (Throwable e) {
        // In most cases it broke while it changed the loop. Memory may be short, too.
        connection.moveTo(loop, connection.key());
        loop.deferred.close(connection);
      }
    }
  }

  private SelectionKey register(Connection connection) throws IOException {
    int operations = connection.outbox.isEmpty() ? SelectionKey.OP_READ : SelectionKey.OP_WRITE;
    if (connection.channel.keyFor(loop.selector) != null) {
      // It was here before, and its key is still cancelled. What is ready is found ready again.
      loop.selector.selectNow();
      loop.selector.selectedKeys().clear();
    }
    return connection.channel.register(loop.selector, operations, connection);
  }

  /**
   * Hands a connection to a worker. While the ring is full, connections stay out of the loop, so
   * that nothing more is read from them.
   */
  public void handOff(Connection connection) {
    WaitList forRoom = loop.deferred.forRoom;
    connection.handedOffAt = io.now;
    // In the order in which they came.
    if (!forRoom.isEmpty() || !workers.submit(connection)) {
      forRoom.add(connection);
    }
  }

  /** Hands off those that wait for room in the ring, as far as there is room now. */
  public void handOffWaiting() {
    WaitList forRoom = loop.deferred.forRoom;
    if (forRoom.isEmpty()) {
      return;
    }
    forRoom.retryInOrder(workers::submit);
    if (forRoom.isEmpty()) {
      run.metrics.backpressureNanos.add(System.nanoTime() - forRoom.since());
    }
  }

  /** Gives connections to other loops until this one has at most its share. */
  public void share() {
    int surplus = loop.surplus();
    for (SelectionKey key : loop.selector.keys()) {
      Connection connection = (Connection) key.attachment();
      if (surplus <= 0) {
        return;
      }
      if (key.isValid()
          && connection != null
          && connection.ownership.isInLoop()
          && move(connection)) {
        surplus--;
      }
    }
  }

  private boolean move(Connection connection) {
    EventLoop target = loop.leastLoaded();
    if (target == loop) {
      return false;
    }
    connection.ownership.take();
    connection.key().cancel();
    loop.deferred.leaves(connection);
    loop.connectionLeaves();
    try {
      target.adopt(connection, io);
    } catch (Throwable e) {
      // There is no memory for the queue. Its key is cancelled already.
      loop.connectionStays();
      loop.deferred.close(connection);
    }
    return true;
  }
}
