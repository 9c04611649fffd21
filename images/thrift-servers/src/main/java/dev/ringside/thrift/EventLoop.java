package dev.ringside.thrift;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.thrift.transport.TNonblockingTransport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A selector and its connections. It has no thread of its own: one thread leads it at a time, and
 * which one can change whenever a request blocks the leader.
 */
final class EventLoop {
  private static final Logger LOG = LoggerFactory.getLogger(TDisruptorServer.class);
  private static final long STOPPING_MILLIS = 10;

  /**
   * After how long a connection without read memory tries again, should it have missed a return.
   */
  private static final long STARVED_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final TDisruptorServer server;
  private final Selector selector;

  /** For the leader, from other threads. */
  private final Queue<TNonblockingTransport> accepted = new ConcurrentLinkedQueue<>();

  private final Queue<Connection> returned = new ConcurrentLinkedQueue<>();
  private final Queue<Connection> adopted = new ConcurrentLinkedQueue<>();

  /** True while the leader may be waiting in select, or is about to. */
  private volatile boolean asleep;

  private volatile Leadership leadership;
  private volatile boolean finished;
  private volatile boolean budgetReturned;
  private volatile boolean rebalance;
  private final AtomicInteger load = new AtomicInteger();

  // What follows belongs to the leader and passes from one to the next.
  private final ArrayDeque<Connection> again = new ArrayDeque<>();
  private final ArrayDeque<Connection> stalled = new ArrayDeque<>();
  private final ArrayDeque<Connection> starved = new ArrayDeque<>();
  private long stalledSince;
  private long starvedUntil;
  private long nextSweep;

  EventLoop(TDisruptorServer server) throws IOException {
    this.server = server;
    this.selector = Selector.open();
  }

  /** The current leader's leadership, for the watchdog. Null before the first. */
  Leadership leadership() {
    return leadership;
  }

  /** Hands over a new connection. From any thread. */
  void accept(TNonblockingTransport transport) {
    load.incrementAndGet();
    accepted.add(transport);
    wakeUp();
    if (finished) {
      refuseAccepted();
    }
  }

  /** Gives a connection back whose outcome says what is to be done with it. From its owner. */
  void giveBack(Connection connection) {
    returned.add(connection);
    wakeUp();
  }

  /** Takes a connection over from another loop, whose leader calls this. */
  private void adopt(Connection connection, Io io) {
    load.incrementAndGet();
    adopted.add(connection);
    wakeUp();
    if (finished) {
      closeAdopted(io);
    }
  }

  /** The loops in use have changed: the leader is to share connections with them. */
  void rebalance() {
    rebalance = true;
    wakeUp();
  }

  /** Whether it has something to do at this moment. From any thread; a sample, not a promise. */
  boolean isBusy() {
    return !asleep;
  }

  /** Read memory was given back. From any thread. */
  void budgetReturned() {
    budgetReturned = true;
    wakeUp();
  }

  /** Makes the leader look at its queues. From any thread. */
  void wakeUp() {
    if (asleep) {
      asleep = false;
      selector.wakeup();
    }
  }

  /** How many connections it has. From any thread. */
  int load() {
    return load.get();
  }

  /** To be called once for each connection that was given to {@link #accept}. From any thread. */
  void connectionEnded() {
    load.decrementAndGet();
    server.connectionEnded();
  }

  /**
   * Leads the loop on the current thread until it is deposed, or until the server has stopped.
   * Having been deposed, it finishes serving the connection that cost it the loop before it
   * returns.
   */
  void lead(Worker worker) {
    Io io = worker.io();
    Leadership mine = new Leadership(Thread.currentThread(), io);
    leadership = mine;
    io.leadership = mine;
    ReadyKeys ready = worker.ready();
    while (!finished) {
      try {
        if (!turn(worker, mine, ready, io)) {
          return;
        }
      } catch (Throwable e) {
        // Whatever it was, a loop without a leader would leave all its connections alone.
        LOG.error("an event loop of server {} failed, going on", server.options().name, e);
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  /** One select and what it brings; false if deposed. */
  private boolean turn(Worker worker, Leadership mine, ReadyKeys ready, Io io) throws IOException {
    asleep = true;
    boolean busy =
        !again.isEmpty()
            || !returned.isEmpty()
            || !accepted.isEmpty()
            || !adopted.isEmpty()
            || rebalance;
    ready.select(selector, busy ? 0 : waitMillis());
    asleep = false;
    io.now = System.nanoTime();

    for (int i = again.size(); i > 0; i--) {
      Connection connection = again.poll();
      connection.queuedAgain = false;
      if (connection.isInLoop() && !serve(connection, worker, mine)) {
        return false;
      }
    }
    for (int i = 0; i < ready.size(); i++) {
      if (!ready(ready.get(i), worker, mine)) {
        return false;
      }
    }
    registerAccepted(io);
    takeAdopted(io);
    takeReturned(io);
    retryStalled();
    retryStarved(io);
    if (server.isStopping()) {
      stopping(io);
      return true;
    }
    if (rebalance) {
      rebalance = false;
      share(io);
    }
    if (io.now >= nextSweep) {
      sweep(io);
    }
    return true;
  }

  private long waitMillis() {
    if (server.isStopping()) {
      return STOPPING_MILLIS;
    }
    if (!starved.isEmpty()) {
      return TimeUnit.NANOSECONDS.toMillis(STARVED_NANOS);
    }
    return load.get() == 0 ? -1 : server.options().sweepMillis();
  }

  private boolean ready(SelectionKey key, Worker worker, Leadership mine) {
    Connection connection = (Connection) key.attachment();
    if (!connection.isInLoop()) {
      if (connection.markUnwatched()) {
        interest(connection, 0);
        return true;
      }
      if (!connection.isInLoop()) {
        return true;
      }
    }
    return serve(connection, worker, mine);
  }

  /** Serves a connection as the leader; false if that has cost the leadership. */
  private boolean serve(Connection connection, Worker worker, Leadership mine) {
    connection.take();
    mine.beginServing();
    Outcome outcome = connection.serve(worker.io(), true);
    if (mine.endServing()) {
      apply(connection, outcome, worker.io());
      return true;
    }
    worker.finish(connection, outcome);
    return false;
  }

  /** Does as the leader what a connection's outcome asks for. */
  private void apply(Connection connection, Outcome outcome, Io io) {
    switch (outcome) {
      case IDLE:
        connection.putBack();
        interest(connection, SelectionKey.OP_READ);
        break;
      case MORE:
        connection.putBack();
        serveAgain(connection);
        break;
      case WRITE_BLOCKED:
        connection.putBack();
        interest(connection, SelectionKey.OP_WRITE);
        break;
      case STARVED:
        interest(connection, 0);
        if (starved.isEmpty()) {
          server.starvedLoops().incrementAndGet();
        }
        starved.add(connection);
        starvedUntil = io.now + STARVED_NANOS;
        break;
      case HAND_OFF:
        handOff(connection, io);
        break;
      default:
        connection.close(io);
    }
  }

  private void interest(Connection connection, int operations) {
    SelectionKey key = connection.key();
    try {
      if (key.interestOps() != operations) {
        key.interestOps(operations);
      }
    } catch (CancelledKeyException e) {
      LOG.trace("a connection was closed meanwhile", e);
    }
  }

  private void handOff(Connection connection, Io io) {
    connection.handedOffAt = io.now;
    if (stalled.isEmpty() && server.workers().submit(connection)) {
      return;
    }
    // The ring is full. The connection stays out of the loop: nothing more is read from it.
    if (stalled.isEmpty()) {
      stalledSince = System.nanoTime();
      server.stalledLoops().incrementAndGet();
    }
    stalled.add(connection);
    retryStalled();
  }

  private void retryStalled() {
    if (stalled.isEmpty()) {
      return;
    }
    while (!stalled.isEmpty() && server.workers().submit(stalled.peek())) {
      stalled.poll();
    }
    if (stalled.isEmpty()) {
      server.stalledLoops().decrementAndGet();
      server.metrics().backpressureNanos.add(System.nanoTime() - stalledSince);
    }
  }

  private void retryStarved(Io io) {
    if (starved.isEmpty() || !(budgetReturned || io.now >= starvedUntil)) {
      return;
    }
    budgetReturned = false;
    server.starvedLoops().decrementAndGet();
    for (int i = starved.size(); i > 0; i--) {
      Connection connection = starved.poll();
      connection.putBack();
      serveAgain(connection);
    }
  }

  private void serveAgain(Connection connection) {
    if (!connection.queuedAgain) {
      connection.queuedAgain = true;
      again.add(connection);
    }
  }

  private void takeReturned(Io io) {
    for (Connection connection = returned.poll();
        connection != null;
        connection = returned.poll()) {
      apply(connection, connection.outcome, io);
    }
  }

  private void registerAccepted(Io io) {
    for (TNonblockingTransport transport = accepted.poll();
        transport != null;
        transport = accepted.poll()) {
      Connection connection = null;
      try {
        SelectionKey key = transport.registerSelector(selector, SelectionKey.OP_READ);
        connection = new Connection(server, this, transport, key);
        key.attach(connection);
        connection.open();
      } catch (Exception e) {
        LOG.debug("a new connection could not be set up", e);
        if (connection == null) {
          transport.close();
          connectionEnded();
        } else {
          connection.close(io);
        }
      }
    }
  }

  /** Gives connections to other loops until it has no more than its share. */
  private void share(Io io) {
    int surplus = load.get() - server.loops().shareOf(this);
    for (SelectionKey key : selector.keys()) {
      Connection connection = (Connection) key.attachment();
      if (surplus <= 0) {
        return;
      }
      if (key.isValid()
          && connection != null
          && connection.isInLoop()
          && !connection.queuedAgain
          && move(connection, io)) {
        surplus--;
      }
    }
  }

  private boolean move(Connection connection, Io io) {
    EventLoop target = server.loops().leastLoaded();
    if (target == this) {
      return false;
    }
    connection.take();
    connection.key().cancel();
    load.decrementAndGet();
    target.adopt(connection, io);
    return true;
  }

  private void takeAdopted(Io io) {
    for (Connection connection = adopted.poll(); connection != null; connection = adopted.poll()) {
      try {
        int operations = connection.hasUnsent() ? SelectionKey.OP_WRITE : SelectionKey.OP_READ;
        connection.moveTo(this, connection.channel().register(selector, operations, connection));
        connection.putBack();
      } catch (IOException | CancelledKeyException e) {
        LOG.debug("a connection broke while it changed the loop", e);
        connection.moveTo(this, connection.key());
        connection.close(io);
      }
    }
  }

  private void closeAdopted(Io io) {
    for (Connection connection = adopted.poll(); connection != null; connection = adopted.poll()) {
      connection.moveTo(this, connection.key());
      connection.close(io);
    }
  }

  /** Closes the connections that have been still for too long. */
  private void sweep(Io io) {
    Options options = server.options();
    if (options.sweepMillis() < 0) {
      return;
    }
    nextSweep = io.now + TimeUnit.MILLISECONDS.toNanos(options.sweepMillis());
    for (SelectionKey key : selector.keys()) {
      Connection connection = (Connection) key.attachment();
      if (!key.isValid() || connection == null || !connection.isInLoop()) {
        continue;
      }
      long still = io.now - connection.lastActive();
      if (connection.isStalled()
          && options.stallTimeoutNanos > 0
          && still > options.stallTimeoutNanos) {
        server.metrics().stalledClosed.increment();
        connection.close(io);
      } else if (options.idleTimeoutNanos > 0 && still > options.idleTimeoutNanos) {
        server.metrics().idleClosed.increment();
        connection.close(io);
      }
    }
    starved.removeIf(
        connection -> {
          boolean late =
              options.stallTimeoutNanos > 0
                  && io.now - connection.lastActive() > options.stallTimeoutNanos;
          if (late) {
            server.metrics().stalledClosed.increment();
            connection.close(io);
            if (starved.size() == 1) {
              server.starvedLoops().decrementAndGet();
            }
          }
          return late;
        });
  }

  /** Closes what has nothing left to say; after the deadline, everything. */
  private void stopping(Io io) throws IOException {
    boolean late = server.stopDeadlinePassed();
    boolean open = false;
    for (SelectionKey key : selector.keys()) {
      Connection connection = (Connection) key.attachment();
      if (!key.isValid() || connection == null) {
        continue;
      }
      if (connection.isInLoop() && (late || !connection.hasUnsent())) {
        connection.closeGracefully(io);
      } else if (late) {
        // Its owner is stuck in a handler: it gets no reply out any more, but it ends the session.
        connection.abort();
      } else {
        open = true;
      }
    }
    for (Connection connection : starved) {
      connection.closeGracefully(io);
    }
    starved.clear();
    boolean empty =
        accepted.isEmpty() && adopted.isEmpty() && returned.isEmpty() && stalled.isEmpty();
    if (!open && empty || late) {
      finished = true;
      refuseAccepted();
      closeAdopted(io);
      selector.selectNow();
      selector.close();
      server.loopEnded();
    }
  }

  private void refuseAccepted() {
    for (TNonblockingTransport transport = accepted.poll();
        transport != null;
        transport = accepted.poll()) {
      transport.close();
      connectionEnded();
    }
  }
}
