package dev.ringside.thrift.internal.loop;

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

  public void sweepIfDue() {
    long period = run.options.sweepMillis();
    if (period >= 0 && io.now - loop.nextSweep >= 0) {
      loop.nextSweep = io.now + TimeUnit.MILLISECONDS.toNanos(period);
      sweep();
    }
  }

  private void sweep() {
    forEachKey(
        connection -> {
          if (connection.ownership.isInLoop()) {
            closeIfSilent(connection);
          }
        });
    loop.deferred().forMemory().removeIf(this::closeIfLate);
  }

  private void closeIfSilent(Connection connection) {
    if (!closeIfLate(connection) && connection.isIdle(io.now, run.options.idleTimeoutNanos)) {
      run.metrics.idleClosed.increment();
      close(connection);
    }
  }

  private boolean closeIfLate(Connection connection) {
    boolean late = connection.link.isLate(io.now, run.options.stallTimeoutNanos);
    if (late) {
      run.metrics.stalledClosed.increment();
      close(connection);
    }
    return late;
  }

  private void close(Connection connection) {
    connection.ownership.take();
    loop.deferred().close(connection);
  }

  /** Returns how long the loop may sleep before a sweep is due, in ms; negative is no limit. */
  public long waitMillis() {
    if (run.isStopping()) {
      return STOPPING_MILLIS;
    }
    if (drain.isClosing()) {
      return Drain.LOOK_MILLIS;
    }
    return loop.load() == 0 ? -1 : run.options.sweepMillis();
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
      loop.deferred().forMemory().drain(this::close);
      loop.drainPass = pass;
      drain.passed();
    } else if (io.now - loop.nextDrainLook >= 0) {
      loop.nextDrainLook = io.now + TimeUnit.MILLISECONDS.toNanos(Drain.LOOK_MILLIS);
      forEachKey(
          connection -> {
            if (connection.ownership.isInLoop() && connection.isQuiet(io.now, Drain.QUIET_NANOS)) {
              closeGracefully(connection);
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
      countCutOff(connection.hasWork());
      closeGracefully(connection);
    } else if (!connection.closing) {
      countCutOff(true);
      connection.link.abort();
    }
  }

  private void closeGracefully(Connection connection) {
    connection.link.sayGoodbye(io);
    close(connection);
  }

  private void forEachKey(Consumer<Connection> action) {
    for (SelectionKey key : loop.selector().keys()) {
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
    for (SelectionKey key : loop.selector().keys()) {
      Connection connection = (Connection) key.attachment();
      if (key.isValid() && connection != null) {
        stop(connection, late);
        open = true;
      }
    }
    loop.deferred().forMemory().drain(connection -> connection.closeGracefully(io));
    boolean empty =
        loop.accepted.isEmpty()
            && loop.adopted.isEmpty()
            && loop.returned.isEmpty()
            && loop.deferred().forRoom().isEmpty();
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
      countCutOff(connection.hasWork());
      if (late) {
        connection.closeGracefully(io);
      } else {
        // Not here: a hook that blocks would hold up the replies of the others.
        closeGracefully(connection);
      }
    } else if (late) {
      // Its owner is stuck in a handler: it gets no reply out any more, but it ends the session.
      countCutOff(!connection.closing);
      connection.link.abort();
    }
  }

  private void countCutOff(boolean unanswered) {
    if (unanswered) {
      run.metrics.cutOff.increment();
    }
  }
}
