package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.metrics.CloseReason;
import dev.ringside.thrift.internal.metrics.Failure;
import java.io.IOException;
import java.nio.channels.Selector;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.apache.thrift.transport.TNonblockingTransport;
import org.jspecify.annotations.Nullable;

/**
 * Holds a selector and its connections. It has no thread of its own: one thread at a time leads it
 * (see {@link Leader}), and another takes over when a request blocks the leader.
 *
 * <p>Its state belongs to the leader, except the queues through which other threads pass
 * connections, followed by {@link #wakeUp()}.
 */
public final class EventLoop {
  private final ServerRun run;
  private final Alarm alarm;
  public final Selector selector;
  public final Deferred deferred;
  private final EventLoops loops;
  private final Admission admission;

  // For the leader to poll. Others add through the methods below.
  public final Queue<TNonblockingTransport> accepted = new ConcurrentLinkedQueue<>();
  public final Queue<Connection> returned = new ConcurrentLinkedQueue<>();
  public final Queue<Connection> adopted = new ConcurrentLinkedQueue<>();

  private final AtomicBoolean leaderless = new AtomicBoolean();
  private volatile @Nullable Leadership leadership;
  private volatile boolean finished;
  private volatile boolean rebalance;
  private final AtomicInteger load = new AtomicInteger();

  /** True while the leader waits in select, or is about to. */
  private volatile boolean asleep;

  /** Whether the last wake-up has failed; the watchdog repeats it. */
  private volatile boolean unwoken;

  /** How long leaders have waited in select, in ns, without the wait that has not ended. */
  private volatile long idleNanos;

  /** System.nanoTime() when the leader began to wait; 0 while it does not. */
  private volatile long idleSince;

  /** System.nanoTime() of the next check for silent connections. For the leader. */
  public long nextSweep = System.nanoTime();

  /** System.nanoTime() of the next check for silent connections in a drain. For the leader. */
  public long nextDrainLook = System.nanoTime();

  /** The last pass of a drain that it has made. For the leader. */
  public int drainPass;

  /** Whether the leader has seen the stop, and gives no connection away. For the leader. */
  private boolean givesNoMore;

  /**
   * Creates a loop.
   *
   * @param loops the list of all loops, to which this one will belong
   */
  public EventLoop(
      ServerRun run,
      Alarm alarm,
      Selector selector,
      Deferred deferred,
      EventLoops loops,
      Admission admission) {
    this.run = run;
    this.alarm = alarm;
    this.selector = selector;
    this.deferred = deferred;
    this.loops = loops;
    this.admission = admission;
  }

  /** Returns the current leadership, for the watchdog; null before the first. */
  public @Nullable Leadership leadership() {
    return leadership;
  }

  /** Records that it has no leader; the pool of workers finds one. */
  public void loseLeader() {
    leaderless.set(true);
  }

  /** Takes the lead if it has no leader: the current thread must then lead it. */
  public boolean takeLead() {
    return leaderless.get() && leaderless.compareAndSet(true, false);
  }

  /** Sets the current leadership. For the thread that has taken the lead. */
  public void ledBy(Leadership current) {
    leadership = current;
  }

  /**
   * Waits for ready connections, unless there is other work. For the leader.
   *
   * @param began System.nanoTime() just before
   * @param mostMillis returns the longest time to wait, negative for no limit; called after other
   *     threads can see that the loop is about to sleep, so that a thread that changes the answer
   *     wakes it
   * @return System.nanoTime() just after
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // Only the leader changes it.
  public long select(ReadyKeys ready, long began, LongSupplier mostMillis) throws IOException {
    idleSince = began;
    // Set before the checks, so that a change after them wakes the selector.
    asleep = true;
    try {
      long millis = mostMillis.getAsLong();
      ready.select(selector, hasTurn() ? 0 : millis);
    } finally {
      asleep = false;
      idleSince = 0;
    }
    long ended = System.nanoTime();
    idleNanos += ended - began;
    return ended;
  }

  private boolean hasTurn() {
    return !returned.isEmpty()
        || !accepted.isEmpty()
        || !adopted.isEmpty()
        || rebalance
        || deferred.hasTurn();
  }

  /** Returns how long leaders have waited for work until now, in ns. For any thread. */
  public long idleNanos(long now) {
    long since = idleSince;
    return idleNanos + (since == 0 ? 0 : now - since);
  }

  /**
   * Makes the leader check its queues. May be called from any thread. Never fails, because what the
   * caller has put into a queue belongs to the loop already.
   */
  public void wakeUp() {
    if (asleep) {
      asleep = false;
      wakeSelector();
    }
  }

  private void wakeSelector() {
    try {
      selector.wakeup();
    } catch (Throwable e) {
      // A lack of memory, for one. The watchdog tries again.
      unwoken = true;
      run.report(Failure.WAKE_UP, e);
      alarm.watch();
    }
  }

  /** Reports whether the leader could not be woken. For the watchdog. */
  public boolean lacksWakeUp() {
    return unwoken;
  }

  /** Wakes the leader if that has failed; returns true if it had. For the watchdog. */
  public boolean wakeAgain() {
    boolean again = unwoken;
    if (again) {
      unwoken = false;
      wakeSelector();
    }
    return again;
  }

  /** Passes a new connection to the loop. May be called from any thread. */
  public void accept(TNonblockingTransport transport) {
    add(accepted, transport);
    wakeUp();
    if (finished) {
      refuseAccepted();
    }
  }

  /** Gives a connection with an outcome back to the loop. Called by its owner. */
  public void giveBack(Connection connection, Io io) {
    returned.add(connection);
    wakeUp();
    if (finished) {
      closeHandedOver(io);
    }
  }

  /**
   * Adopts a connection of another loop. Called by that loop's leader, whose it remains if this
   * fails.
   */
  public void adopt(Connection connection, Io io) {
    add(adopted, connection);
    wakeUp();
    if (finished) {
      closeHandedOver(io);
    }
  }

  private <T> void add(Queue<T> queue, T entry) {
    load.incrementAndGet();
    boolean added = false;
    try {
      added = queue.add(entry);
    } finally {
      if (!added) {
        load.decrementAndGet();
      }
    }
    // It may have gone out of use since it was chosen. Who takes it out of use sees the load, or
    // else is seen here.
    if (loops.isOutOfUse(this)) {
      rebalance = true;
    }
  }

  /** Asks the leader to share connections, because the loops in use have changed. */
  public void rebalance() {
    rebalance = true;
    wakeUp();
  }

  /** Reports whether it was asked to rebalance, and clears that. For the leader. */
  public boolean takeRebalance() {
    boolean asked = rebalance;
    if (asked) {
      rebalance = false;
    }
    return asked;
  }

  /** Returns how many connections it should give to other loops. */
  public int surplus() {
    return load() - loops.shareOf(this);
  }

  /** Returns the loop in use with the fewest connections. */
  public EventLoop leastLoaded() {
    return loops.leastLoaded();
  }

  /**
   * Records that it gives no connections to other loops any more; returns true if the others do
   * neither. For the leader.
   */
  public boolean giveNoMore() {
    if (!givesNoMore) {
      givesNoMore = true;
      loops.givesNoMore();
    }
    return loops.giveNoMore();
  }

  /** Returns how many connections it has. May be called from any thread. */
  public int load() {
    return load.get();
  }

  /** Records that a connection leaves for another loop. For the leader. */
  public void connectionLeaves() {
    load.decrementAndGet();
  }

  /** Records that a connection could not leave. For the leader. */
  public void connectionStays() {
    load.incrementAndGet();
  }

  /**
   * Records the end of a connection; once for each that was given to {@link #accept}, any thread.
   */
  public void connectionEnded() {
    load.decrementAndGet();
    admission.ended();
  }

  public boolean isFinished() {
    return finished;
  }

  /** Ends the loop: it accepts no more connections, and closes all it has. */
  public void finish(Io io) throws IOException {
    finished = true;
    try {
      refuseAccepted();
      closeHandedOver(io);
      deferred.drain(connection -> close(connection, io));
      selector.selectNow();
    } finally {
      try {
        selector.close();
      } finally {
        loops.ended();
      }
    }
  }

  private void refuseAccepted() {
    for (TNonblockingTransport transport = accepted.poll();
        transport != null;
        transport = accepted.poll()) {
      run.metrics.closings.add(CloseReason.STOPPED, "a new client", "");
      try {
        transport.close();
      } catch (Throwable e) {
        // A user's transport may throw anything. The others must be closed, too.
        run.report(Failure.SET_UP, e);
      } finally {
        connectionEnded();
      }
    }
  }

  private void closeHandedOver(Io io) {
    for (Connection connection = adopted.poll(); connection != null; connection = adopted.poll()) {
      connection.moveTo(this, connection.key());
      close(connection, io);
    }
    for (Connection connection = returned.poll();
        connection != null;
        connection = returned.poll()) {
      close(connection, io);
    }
  }

  /** Closes a connection of this loop. A failure concerns neither the others nor the caller. */
  private void close(Connection connection, Io io) {
    connection.closes(CloseReason.STOPPED, "");
    try {
      connection.closeGracefully(io);
    } catch (Throwable e) {
      // A hook may throw anything.
      connection.failed(e);
    }
  }
}
