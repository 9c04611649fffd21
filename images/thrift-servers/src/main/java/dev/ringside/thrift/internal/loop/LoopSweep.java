package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.metrics.CloseReason;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Closes connections of an event loop that have been silent for too long, and all of them when the
 * server stops. Each method is one pass over the loop's connections. For the loop's leader.
 */
public final class LoopSweep {
  private static final long STOPPING_MILLIS = 10;

  /** How long a loop sleeps while requests wait for workers. */
  private static final long STUCK_MILLIS = 1000;

  /** From which delay of a sweep on the server was away. */
  private static final long AWAY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final ServerRun run;
  private final Drain drain;
  private final WorkerPool workers;
  private final EventLoop loop;
  private final Io io;

  public LoopSweep(ServerRun run, Drain drain, WorkerPool workers, EventLoop loop, Io io) {
    this.run = run;
    this.drain = drain;
    this.workers = workers;
    this.loop = loop;
    this.io = io;
  }

  /** Reports whether it is time for {@link #sweep}. */
  public boolean isDue(long now) {
    return run.options.sweepMillis() >= 0 && now - loop.nextSweep >= 0;
  }

  /**
   * Closes those that are silent or slow for too long. If the server itself was away for long, as a
   * process that is stopped or starved, its clients could do nothing: their time begins again.
   */
  public void sweep() {
    long period = TimeUnit.MILLISECONDS.toNanos(run.options.sweepMillis());
    boolean wasAway = io.now - loop.nextSweep > Math.max(2 * period, AWAY_NANOS);
    loop.nextSweep = io.now + period;
    forEachKey(
        connection -> {
          if (!connection.ownership.isInLoop()) {
            closeIfItsPortIsHeld(connection);
          } else if (wasAway) {
            connection.beginAgain(io.now);
          } else {
            closeIfSilent(connection);
          }
        });
  }

  private void closeIfSilent(Connection connection) {
    if (connection.isLate(io.now, run.options.stallTimeoutNanos)) {
      close(connection, CloseReason.STALLED);
    } else if (connection.isIdle(io.now, run.options.idleTimeoutNanos)) {
      close(connection, CloseReason.IDLE);
    }
  }

  /** The earlier connection, whose it is, closes it when it ends; its client knows already. */
  private void closeIfItsPortIsHeld(Connection connection) {
    long timeout = run.options.stallTimeoutNanos;
    if (timeout > 0 && connection.waitsForPort && io.now - connection.lastActive > timeout) {
      connection.closes(CloseReason.PORT_REUSED, "");
      connection.abort();
    }
  }

  private void close(Connection connection, CloseReason reason) {
    connection.closes(reason, "");
    connection.ownership.take();
    loop.deferred.close(connection);
  }

  /** Returns how long the loop may sleep before a sweep is due, in ms; negative is no limit. */
  public long waitMillis() {
    if (run.isStopping()) {
      return STOPPING_MILLIS;
    }
    if (drain.isClosing()) {
      return Drain.LOOK_MILLIS;
    }
    long sweep = loop.load() == 0 ? -1 : run.options.sweepMillis();
    // If the workers are stuck by then, the leader helps.
    return workers.ring.isEmpty() || sweep >= 0 && sweep < STUCK_MILLIS ? sweep : STUCK_MILLIS;
  }

  /**
   * Does the loop's part of a drain: closes silent connections; after the deadline, all, and counts
   * those with unfinished work. Returns false if the server is not drained.
   */
  public boolean draining() {
    if (!drain.isClosing()) {
      return false;
    }
    int pass = drain.pass();
    if (pass > loop.drainPass) {
      forEachKey(this::cutOff);
      loop.deferred.forMemory.drain(connection -> close(connection, CloseReason.CUT_OFF));
      loop.drainPass = pass;
      drain.passed();
    } else if (io.now - loop.nextDrainLook >= 0) {
      loop.nextDrainLook = io.now + TimeUnit.MILLISECONDS.toNanos(Drain.LOOK_MILLIS);
      forEachKey(
          connection -> {
            if (connection.ownership.isInLoop() && connection.isQuiet(io.now, Drain.QUIET_NANOS)) {
              closeGracefully(connection, CloseReason.STOPPED);
            }
          });
    }
    return true;
  }

  private void cutOff(Connection connection) {
    // From now on its owner must hand it over. Otherwise, a broken connection could be given back
    // unnoticed, and no thread would close it.
    connection.ownership.markUnwatched();
    if (connection.ownership.isInLoop()) {
      closeGracefully(connection, reasonOf(connection));
    } else if (!connection.closing) {
      connection.closes(CloseReason.CUT_OFF, "");
      connection.abort();
    }
  }

  private static CloseReason reasonOf(Connection connection) {
    return connection.hasWork() ? CloseReason.CUT_OFF : CloseReason.STOPPED;
  }

  private void closeGracefully(Connection connection, CloseReason reason) {
    connection.closes(reason, "");
    connection.sayGoodbye(io);
    close(connection, reason);
  }

  private void forEachKey(Consumer<Connection> action) {
    for (SelectionKey key : loop.selector.keys()) {
      Connection connection = (Connection) key.attachment();
      if (key.isValid() && connection != null) {
        action.accept(connection);
      }
    }
  }

  /** Closes connections without outstanding replies; after the deadline, all. */
  public void stopping() throws IOException {
    boolean late = run.stopDeadlinePassed();
    // Asked before the look at what was given: what comes before the answer is then seen.
    boolean mayBeGiven = !loop.giveNoMore();
    boolean open = false;
    for (SelectionKey key : loop.selector.keys()) {
      Connection connection = (Connection) key.attachment();
      if (key.isValid() && connection != null) {
        stop(connection, late);
        open = true;
      }
    }
    loop.deferred.forMemory.removeIf(connection -> stopWaiting(connection, late));
    boolean empty =
        loop.accepted.isEmpty()
            && loop.adopted.isEmpty()
            && loop.returned.isEmpty()
            && loop.deferred.forRoom.isEmpty();
    if (late) {
      workers.closeQueued(io);
    }
    if (!open && !mayBeGiven && empty || late) {
      loop.finish(io);
    }
  }

  /** Closes a connection, unless replies are outstanding and there is time for them. */
  private void stop(Connection connection, boolean late) {
    if (late) {
      // Its owner must hand it over, and so detect that the loop has ended. Otherwise, a connection
      // could be given back after this check, and no thread would close it.
      connection.ownership.markUnwatched();
    }
    boolean mine = connection.ownership.isInLoop();
    if (mine && (late || !connection.hasMoreToSay())) {
      CloseReason reason = reasonOf(connection);
      if (late) {
        connection.closes(reason, "");
        connection.closeGracefully(io);
      } else {
        // Not here: a hook that blocks would hold up the replies of the others.
        closeGracefully(connection, reason);
      }
    } else if (late) {
      // Its owner is stuck in a handler: it gets no reply out any more, but it ends the session.
      connection.closes(connection.closing ? CloseReason.STOPPED : CloseReason.CUT_OFF, "");
      connection.abort();
    }
  }

  /** Closes one that waits for memory, unless it has a request that may be answered in time. */
  private boolean stopWaiting(Connection connection, boolean late) {
    boolean closes = late || connection.inbox.isUnfinished();
    if (closes) {
      connection.closes(CloseReason.CUT_OFF, "");
      connection.closeGracefully(io);
    }
    return closes;
  }
}
