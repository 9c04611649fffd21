package dev.ringside.thrift;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread of the server. It leads an event loop that has no leader, or else serves connections
 * from the ring, or else lingers with the connection that it served last, or else is parked.
 *
 * <p>Lingering: where requests block, a thread that waits for its connection's next request itself
 * saves the wakeups of the event loop and of another worker. It ends when the connection falls
 * silent or when the worker is needed elsewhere, so that no connection waits for a thread that
 * another one keeps.
 */
final class Worker implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(TDisruptorServer.class);

  private static final int BUSY = 0;
  private static final int LINGERING = 1;
  private static final int RECALLED = 2;

  private final TDisruptorServer server;
  private final WorkerPool pool;
  private final HandOffRing<Connection> ring;
  private final Io io;
  private final ReadyKeys ready = new ReadyKeys();
  private final AtomicInteger linger = new AtomicInteger(BUSY);
  private Selector selector;

  /** The thread, from the moment that it runs. */
  volatile Thread thread;

  /** Set by who wakes a parked worker. */
  volatile boolean signalled;

  /** Set before it is signalled or started: it is counted as one that looks for work. */
  boolean searching;

  Worker(TDisruptorServer server, WorkerPool pool, HandOffRing<Connection> ring) {
    this.server = server;
    this.pool = pool;
    this.ring = ring;
    this.io = new Io(server.options().ioBufferBytes);
  }

  Io io() {
    return io;
  }

  ReadyKeys ready() {
    return ready;
  }

  @Override
  public void run() {
    thread = Thread.currentThread();
    try {
      do {
        workUntilIdle();
      } while (pool.awaitWork(this));
    } catch (Throwable e) {
      LOG.error("a worker of server {} failed", server.options().name, e);
    } finally {
      closeSelector();
      pool.exited(this);
    }
  }

  private void workUntilIdle() {
    while (true) {
      EventLoop loop = pool.takeLeaderless();
      Connection connection = loop == null ? ring.poll() : null;
      if (searching) {
        searching = false;
        pool.searchEnded();
      }
      if (loop != null) {
        loop.lead(this);
        continue;
      }
      if (connection == null) {
        return;
      }
      server.ringHasRoom();
      io.now = System.nanoTime();
      server.metrics().queued(io.now - connection.handedOffAt);
      finish(connection, connection.serve(io, false));
    }
  }

  /** Does what the outcome of serving a connection asks for, as its owner. */
  void finish(Connection connection, Outcome first) {
    Outcome outcome = first;
    while (outcome == Outcome.HAND_OFF || outcome == Outcome.MORE) {
      if (outcome == Outcome.MORE && !ring.isEmpty()) {
        connection.handedOffAt = io.now;
        if (pool.submit(connection)) {
          return;
        }
      }
      outcome = connection.serve(io, false);
    }
    if (outcome == Outcome.IDLE && !server.isStopping() && server.options().lingerMillis > 0) {
      outcome = lingerWith(connection);
    }
    giveBack(connection, outcome);
  }

  private void giveBack(Connection connection, Outcome outcome) {
    if (outcome == Outcome.CLOSED) {
      connection.close(io);
      deregisterClosed();
      connection.loop().wakeUp();
    } else if (server.isStopping() && outcome == Outcome.IDLE) {
      connection.closeGracefully(io);
      deregisterClosed();
      connection.loop().wakeUp();
    } else {
      connection.outcome = outcome;
      if (outcome != Outcome.IDLE || !connection.giveBackWatched()) {
        connection.loop().giveBack(connection);
      }
    }
  }

  /** Serves the connection for as long as it keeps this worker busy and nobody else needs it. */
  private Outcome lingerWith(Connection connection) {
    if (!pool.mayLinger(io.now) || !connection.mayLinger()) {
      return Outcome.IDLE;
    }
    SelectionKey key = null;
    Outcome outcome = Outcome.IDLE;
    try {
      if (selector == null) {
        selector = Selector.open();
      }
      key = connection.channel().register(selector, SelectionKey.OP_READ);
      while (outcome == Outcome.IDLE && awaitBytes()) {
        io.now = System.nanoTime();
        outcome = connection.serve(io, false);
        while (outcome == Outcome.MORE) {
          outcome = connection.serve(io, false);
        }
        if (!connection.mayLinger() || !pool.mayLinger(io.now)) {
          break;
        }
      }
    } catch (ClosedChannelException | CancelledKeyException e) {
      outcome = Outcome.CLOSED;
    } catch (IOException e) {
      LOG.warn("a worker of server {} cannot wait for its connection", server.options().name, e);
    } finally {
      if (key != null && outcome != Outcome.CLOSED) {
        key.cancel();
        deregisterClosed();
      }
    }
    return outcome;
  }

  /**
   * Waits for the one connection of this worker's selector; false if there is something else to do.
   */
  private boolean awaitBytes() throws IOException {
    linger.set(LINGERING);
    pool.lingering(1);
    try {
      if (pool.hasWork() || server.isStopping()) {
        return false;
      }
      ready.select(selector, server.options().lingerMillis);
      return ready.size() > 0;
    } finally {
      pool.lingering(-1);
      linger.set(BUSY);
    }
  }

  /** Calls a lingering worker to the ring; false if it does not linger. From any thread. */
  boolean recall() {
    if (linger.get() == LINGERING && linger.compareAndSet(LINGERING, RECALLED)) {
      Selector waiting = selector;
      if (waiting != null) {
        waiting.wakeup();
      }
      return true;
    }
    return false;
  }

  /**
   * Lets the selector forget closed channels and cancelled keys, without which their sockets stay
   * open.
   */
  private void deregisterClosed() {
    if (selector != null) {
      try {
        selector.selectNow();
      } catch (IOException e) {
        LOG.debug("a worker's selector failed", e);
      }
    }
  }

  private void closeSelector() {
    if (selector != null) {
      try {
        selector.close();
      } catch (IOException e) {
        LOG.debug("closing a worker's selector failed", e);
      }
    }
  }
}
