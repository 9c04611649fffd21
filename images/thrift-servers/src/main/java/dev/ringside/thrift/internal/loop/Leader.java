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

  /** How many new or returned connections it takes per turn, before others have theirs. */
  private static final int MOST_TAKEN = 64;

  private final ServerRun run;
  private final EventLoop loop;
  private final Leadership mine;
  private final Worker worker;
  private final WorkerPool workers;
  private final Io io;
  private final ReadyKeys ready;
  private final LoopMembers members;
  private final LoopSweep sweep;
  private final LongSupplier waitMillis;
  private final Alarm alarm;

  /** Whether this turn checks for silent connections. */
  private boolean sweeps;

  /** How many selects in a row have failed. */
  private int broken;

  public Leader(
      ServerRun run,
      Leadership mine,
      Alarm alarm,
      Worker worker,
      WorkerPool workers,
      LoopMembers members,
      LoopSweep sweep) {
    this.run = run;
    this.alarm = alarm;
    this.loop = mine.loop;
    this.mine = mine;
    this.worker = worker;
    this.workers = workers;
    this.io = worker.io;
    this.ready = worker.ready;
    this.members = members;
    this.sweep = sweep;
    this.waitMillis = () -> sweeps ? 0 : sweep.waitMillis();
  }

  /** Leads until it is deposed, or until the loop is finished. */
  public void lead() {
    boolean leads = true;
    while (leads && !loop.isFinished()) {
      try {
        leads = turn();
      } catch (Throwable e) {
        // Whatever it is, a loop without a leader would leave all its connections alone.
        run.report(Failure.LOOP, e);
        leads = !mine.isDeposed();
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  /** Selects once and serves what is ready; returns false if deposed. */
  private boolean turn() throws IOException {
    select();
    alarm.watchIfDue(io.now);
    int agains = loop.deferred.agains();
    if (!serveReady() || !serveAgain(agains)) {
      return false;
    }
    if (!registerAccepted() || !takeReturned() || !closePutOff() || !helpWorkers()) {
      return false;
    }
    members.takeAdopted();
    members.handOffWaiting();
    loop.deferred.forMemory.retry(this::goesOn);
    if (run.isStopping()) {
      sweep.stopping();
      return true;
    }
    if (!sweep.draining() && loop.takeRebalance()) {
      members.share();
    }
    if (sweeps) {
      sweep.sweep();
    }
    return true;
  }

  /**
   * Selects. A selector that fails for a second will not recover, and neither will the loop. If a
   * sweep is due, it selects without waiting and sweeps after it has served what is ready: where
   * the process was stopped for a while, it must not close a connection that has sent something
   * since.
   */
  private void select() throws IOException {
    long began = System.nanoTime();
    sweeps = sweep.isDue(began);
    try {
      io.now = loop.select(ready, began, waitMillis);
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
      Connection connection = loop.deferred.pollAgain();
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
      Outcome outcome = worker.runner.serve(connection, true);
      if (!mine.isDeposed()) {
        return apply(connection, outcome);
      }
      worker.finish(connection, outcome);
      return false;
    } catch (Throwable e) {
      // A lack of memory, for one: it concerns this connection, and not the loop.
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
    connection.failed(e);
    loop.deferred.close(connection);
    return true;
  }

  /** Begins new connections, with hooks that may block. */
  private boolean registerAccepted() {
    for (int i = 0; i < MOST_TAKEN; i++) {
      TNonblockingTransport transport = loop.accepted.poll();
      if (transport == null) {
        break;
      }
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
      // A lack of memory, for one.
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
    for (int i = loop.deferred.closings(); i > 0; i--) {
      Connection connection = loop.deferred.pollClosing();
      if (connection != null && !apply(connection, Outcome.CLOSED)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Serves requests that wait in the ring though they would end soon, while all workers are stuck,
   * perhaps for good.
   */
  private boolean helpWorkers() {
    for (int i = workers.ring.isEmpty() ? 0 : workers.ring.occupancy(); i > 0; i--) {
      if (!workers.isStuck()) {
        return true;
      }
      Connection connection = workers.takeQuick();
      if (connection != null && !serve(connection)) {
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
      // A hook may throw anything, and memory may be short.
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
        loop.deferred.again(connection);
        break;
      case WRITE_BLOCKED:
        connection.ownership.putBack();
        interest(connection, SelectionKey.OP_WRITE);
        break;
      case STARVED:
        interest(connection, 0);
        loop.deferred.forMemory.add(connection);
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

  /** Serves a connection that waits for memory again, if there seems to be enough for it. */
  private boolean goesOn(Connection connection) {
    if (!connection.hasRoom()) {
      return false;
    }
    // A worker that serves it next gives it back as one that the loop watches.
    interest(connection, SelectionKey.OP_READ);
    apply(connection, Outcome.MORE);
    return true;
  }

  private boolean takeReturned() {
    for (int i = 0; i < MOST_TAKEN; i++) {
      Connection connection = loop.returned.poll();
      if (connection == null) {
        break;
      }
      // A broken connection has no key any more, so no selector would report it again.
      if (!apply(connection, connection.isBroken() ? Outcome.CLOSED : connection.outcome)) {
        return false;
      }
    }
    return true;
  }
}
