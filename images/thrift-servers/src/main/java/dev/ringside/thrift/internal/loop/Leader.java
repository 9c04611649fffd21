package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.metrics.Failure;
import dev.ringside.thrift.internal.metrics.Failures;
import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.apache.thrift.transport.TNonblockingTransport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one event loop on one thread, turn by turn: waits for ready connections, serves them, and
 * acts on their outcomes. It ends when a request has cost the thread the loop.
 */
public final class Leader {
  private static final Logger LOG = LoggerFactory.getLogger(Failures.LOGGER);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final int MOST_BROKEN = 100;

  /**
   * How many connections are served per wake-up of the watchdog, which takes the samples for
   * balancing loops. What may block wakes the watchdog by itself ({@link Leadership}). Where
   * requests arrive one by one and are all handed off, one wake-up for each, and the four samples
   * that follow it, cost a fifth of the server's CPU time.
   */
  public static final int SERVED_PER_LOOK = 16;

  private final ServerRun run;
  private final EventLoop loop;
  private final Leadership mine;
  private final Worker worker;
  private final Io io;
  private final ReadyKeys ready;
  private final LoopMembers members;
  private final LoopSweep sweep;
  private final LongSupplier waitMillis;
  private int served;

  /** How many selects in a row have failed. */
  private int broken;

  public Leader(
      ServerRun run, Leadership mine, Worker worker, LoopMembers members, LoopSweep sweep) {
    this.run = run;
    this.loop = mine.loop;
    this.mine = mine;
    this.worker = worker;
    this.io = worker.io();
    this.ready = worker.ready();
    this.members = members;
    this.sweep = sweep;
    this.waitMillis = sweep::waitMillis;
  }

  /** Leads until it is deposed, or until the loop is finished. */
  public void lead() {
    boolean leads = true;
    while (leads && !loop.isFinished()) {
      try {
        leads = turn();
      } catch (Throwable e) {
        // Whatever it was, a loop without a leader would leave all its connections alone.
        run.report(Failure.LOOP, e);
        leads = !mine.isDeposed();
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  /** Selects once and serves what is ready; returns false if deposed. */
  private boolean turn() throws IOException {
    select();
    io.now = System.nanoTime();
    int agains = loop.deferred().agains();
    if (!serveReady() || !serveAgain(agains)) {
      return false;
    }
    if (!registerAccepted() || !takeReturned() || !closePutOff()) {
      return false;
    }
    members.takeAdopted();
    members.handOffWaiting();
    retryForMemory();
    if (run.isStopping()) {
      sweep.stopping();
      return true;
    }
    if (!sweep.draining() && loop.takeRebalance()) {
      members.share();
    }
    sweep.sweepIfDue();
    return true;
  }

  /** Selects. A selector that fails for a second will not recover, and neither will the loop. */
  private void select() throws IOException {
    try {
      loop.waiting().select(ready, waitMillis);
      broken = 0;
    } catch (IOException | ClosedSelectorException e) {
      if (++broken == MOST_BROKEN) {
        run.fail(Failure.SELECTING, e);
      } else if (run.stopDeadlinePassed()) {
        loop.finish(io);
      }
      throw e;
    }
  }

  /** Serves those with new bytes first: they have waited for the whole turn of the others. */
  private boolean serveReady() {
    for (int i = 0; i < ready.size(); i++) {
      SelectionKey key = ready.get(i);
      Connection connection = (Connection) key.attachment();
      if (connection.queuedAgain) {
        continue;
      }
      if (!connection.ownership.isInLoop()) {
        if (connection.ownership.markUnwatched()) {
          interest(connection, 0);
          continue;
        }
        if (!connection.ownership.isInLoop()) {
          continue;
        }
      }
      if (!serve(connection)) {
        return false;
      }
    }
    return true;
  }

  /** Serves those that had more to do when the turn began. No connection is served twice in it. */
  private boolean serveAgain(int agains) {
    for (int i = agains; i > 0; i--) {
      Connection connection = loop.deferred().pollAgain();
      if (connection != null && connection.ownership.isInLoop() && !serve(connection)) {
        return false;
      }
    }
    return true;
  }

  /** Serves a connection; returns false if that cost the leadership. */
  private boolean serve(Connection connection) {
    connection.ownership.take();
    try {
      if (served++ % SERVED_PER_LOOK == 0) {
        mine.watch();
      }
      Outcome outcome = connection.serve(io, true);
      if (!mine.isDeposed()) {
        return apply(connection, outcome);
      }
      worker.finish(connection, outcome);
      return false;
    } catch (Throwable e) {
      return failed(connection, e);
    }
  }

  /** Closes a connection that this thread could not serve; returns false if it leads no more. */
  private boolean failed(Connection connection, Throwable e) {
    connection.ownership.take();
    if (mine.isDeposed()) {
      worker.failed(connection, e);
      return false;
    }
    run.metrics.failures.add(Failure.CONNECTION, connection.link.client, e);
    loop.deferred().close(connection);
    return true;
  }

  /** Begins new connections, with hooks that may block. */
  private boolean registerAccepted() {
    for (TNonblockingTransport transport = loop.accepted.poll();
        transport != null;
        transport = loop.accepted.poll()) {
      Connection connection = members.register(transport);
      if (connection != null && !begin(connection)) {
        return false;
      }
    }
    return true;
  }

  private boolean begin(Connection connection) {
    connection.ownership.take();
    try {
      if (run.portReuse.mustWait(connection)) {
        return true;
      }
    } catch (Throwable e) {
      return failed(connection, e);
    }
    return connection.hasSlowHooks() ? apply(connection, Outcome.HAND_OFF) : serve(connection);
  }

  /** Ends a connection that is not in the loop, with hooks that may block. */
  private boolean close(Connection connection) {
    if (connection.hasSlowHooks()) {
      connection.closing = true;
      members.handOff(connection);
      return true;
    }
    return connection.closeAsLeader(io);
  }

  private boolean closePutOff() {
    for (int i = loop.deferred().closings(); i > 0; i--) {
      Connection connection = loop.deferred().pollClosing();
      if (connection != null && !apply(connection, Outcome.CLOSED)) {
        return false;
      }
    }
    return true;
  }

  /** Acts on a connection's outcome; returns false if that cost the leadership. */
  private boolean apply(Connection connection, Outcome outcome) {
    try {
      return act(connection, outcome);
    } catch (Throwable e) {
      return failed(connection, e);
    }
  }

  private boolean act(Connection connection, Outcome outcome) {
    switch (outcome) {
      case IDLE:
        connection.ownership.putBack();
        interest(connection, SelectionKey.OP_READ);
        break;
      case MORE:
        connection.ownership.putBack();
        loop.deferred().again(connection);
        break;
      case WRITE_BLOCKED:
        connection.ownership.putBack();
        interest(connection, SelectionKey.OP_WRITE);
        break;
      case STARVED:
        interest(connection, 0);
        loop.deferred().forMemory().add(connection);
        break;
      case HAND_OFF:
        members.handOff(connection);
        break;
      default:
        return close(connection);
    }
    return true;
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

  private void retryForMemory() {
    WaitList forMemory = loop.deferred().forMemory();
    if (!forMemory.hasTurn()) {
      return;
    }
    for (int i = forMemory.size(); i > 0; i--) {
      Connection connection = forMemory.poll();
      if (connection != null) {
        // A worker that serves it next gives it back as one that the loop watches.
        interest(connection, SelectionKey.OP_READ);
        apply(connection, Outcome.MORE);
      }
    }
  }

  private boolean takeReturned() {
    for (Connection connection = loop.returned.poll();
        connection != null;
        connection = loop.returned.poll()) {
      // A broken connection has no key any more, so no selector would report it again.
      if (!apply(connection, connection.link.isBroken() ? Outcome.CLOSED : connection.outcome)) {
        return false;
      }
    }
    return true;
  }
}
