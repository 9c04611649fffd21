package dev.ringside.thrift;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.apache.thrift.transport.TNonblockingTransport;

/**
 * A selector and its connections. It has no thread of its own: one thread leads it at a time (see
 * {@link Leader}), and which one can change whenever a request blocks the leader.
 *
 * <p>What it holds belongs to the leader, except the queues through which other threads hand it
 * connections, each followed by {@link #wakeUp()}.
 */
final class EventLoop {
  private final TDisruptorServer server;
  private final Selector selector;
  private final Deferred deferred;

  private final Queue<TNonblockingTransport> accepted = new ConcurrentLinkedQueue<>();
  private final Queue<Connection> returned = new ConcurrentLinkedQueue<>();
  private final Queue<Connection> adopted = new ConcurrentLinkedQueue<>();

  /** True while the leader may be waiting in select, or is about to. */
  private volatile boolean asleep;

  private volatile Leadership leadership;
  private volatile boolean finished;
  private volatile boolean rebalance;
  private final AtomicInteger load = new AtomicInteger();

  /** System.nanoTime() when to look for connections that are still for too long. The leader's. */
  long nextSweep = System.nanoTime();

  /** System.nanoTime() when a drain is to look for silent connections. The leader's. */
  long nextDrainLook = System.nanoTime();

  /** The last pass of a drain that it has made. The leader's. */
  int drainPass;

  /** The leader has seen the stop, after which it gives no connection away. The leader's. */
  boolean givesNoMore;

  EventLoop(TDisruptorServer server) throws IOException {
    this.server = server;
    this.selector = Selector.open();
    this.deferred =
        new Deferred(
            new PutOff(server.ringShortage(), server.ring()::hasRoom),
            new PutOff(server.memoryShortage(), server.budget()::hasTurn));
  }

  TDisruptorServer server() {
    return server;
  }

  Selector selector() {
    return selector;
  }

  Deferred deferred() {
    return deferred;
  }

  Queue<TNonblockingTransport> accepted() {
    return accepted;
  }

  Queue<Connection> returned() {
    return returned;
  }

  Queue<Connection> adopted() {
    return adopted;
  }

  /** The current leader's leadership, for the watchdog. Null before the first. */
  Leadership leadership() {
    return leadership;
  }

  /**
   * Leads the loop on the current thread until it is deposed, or until the server has stopped.
   * Having been deposed, it finishes serving the connection that cost it the loop before it
   * returns.
   */
  void lead(Worker worker) {
    Leadership mine = new Leadership(Thread.currentThread(), worker.io());
    leadership = mine;
    worker.io().leadership = mine;
    new Leader(this, mine, worker).lead();
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
  void giveBack(Connection connection, Io io) {
    returned.add(connection);
    wakeUp();
    if (finished) {
      closeHandedOver(io);
    }
  }

  /** Takes a connection over from another loop, whose leader calls this. */
  void adopt(Connection connection, Io io) {
    load.incrementAndGet();
    adopted.add(connection);
    wakeUp();
    if (finished) {
      closeHandedOver(io);
    }
  }

  /** The loops in use have changed: the leader is to share connections with them. */
  void rebalance() {
    rebalance = true;
    wakeUp();
  }

  /** Whether it was asked to rebalance, once. For the leader. */
  boolean takeRebalance() {
    boolean asked = rebalance;
    if (asked) {
      rebalance = false;
    }
    return asked;
  }

  /** Whether it has something to do at this moment. From any thread; a sample, not a promise. */
  boolean isBusy() {
    return !asleep;
  }

  /** Makes the leader look at its queues. From any thread. */
  void wakeUp() {
    if (asleep) {
      asleep = false;
      selector.wakeup();
    }
  }

  /**
   * Waits for connections to be ready, unless there is anything else to do. For the leader.
   *
   * @param mostMillis tells how long at most, negative without limit; asked when it is known to
   *     others that the loop is about to sleep, so that who changes the answer wakes it
   */
  void select(ReadyKeys ready, LongSupplier mostMillis) throws IOException {
    // First this, then the looks: what comes after them wakes the selector.
    asleep = true;
    long millis = mostMillis.getAsLong();
    ready.select(selector, hasTurn() ? 0 : millis);
    asleep = false;
  }

  private boolean hasTurn() {
    return !returned.isEmpty()
        || !accepted.isEmpty()
        || !adopted.isEmpty()
        || rebalance
        || deferred.hasTurn();
  }

  /** How many connections it has. From any thread. */
  int load() {
    return load.get();
  }

  /** A connection has gone to another loop. For the leader. */
  void connectionMoved() {
    load.decrementAndGet();
  }

  /** To be called once for each connection that was given to {@link #accept}. From any thread. */
  void connectionEnded() {
    load.decrementAndGet();
    server.admission().ended();
  }

  boolean isFinished() {
    return finished;
  }

  /** Ends the loop: nothing is handed to it any more, and whatever it has is closed. */
  void finish(Io io) throws IOException {
    finished = true;
    refuseAccepted();
    closeHandedOver(io);
    deferred.drain(connection -> connection.closeGracefully(io));
    try {
      selector.selectNow();
      selector.close();
    } finally {
      server.loopEnded();
    }
  }

  /** Gives back what the loop has of the system, where nobody has led it and nobody will. */
  void abandon() throws IOException {
    selector.close();
  }

  private void refuseAccepted() {
    for (TNonblockingTransport transport = accepted.poll();
        transport != null;
        transport = accepted.poll()) {
      transport.close();
      connectionEnded();
    }
  }

  private void closeHandedOver(Io io) {
    for (Connection connection = adopted.poll(); connection != null; connection = adopted.poll()) {
      connection.moveTo(this, connection.key());
      connection.closeGracefully(io);
    }
    for (Connection connection = returned.poll();
        connection != null;
        connection = returned.poll()) {
      connection.closeGracefully(io);
    }
  }
}
