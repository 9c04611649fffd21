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
  private final ServerCore server;
  private final EventLoop loop;
  private final Io io;

  public LoopSweep(EventLoop loop, Io io) {
    this.server = loop.server();
    this.loop = loop;
    this.io = io;
  }

  public void sweepIfDue() {
    long period = server.options().sweepMillis();
    if (period >= 0 && io.now - loop.nextSweep >= 0) {
      loop.nextSweep = io.now + TimeUnit.MILLISECONDS.toNanos(period);
      sweep();
    }
  }

  private void sweep() {
    Options options = server.options();
    for (SelectionKey key : loop.selector().keys()) {
      Connection connection = (Connection) key.attachment();
      if (!key.isValid() || connection == null || !connection.ownership.isInLoop()) {
        continue;
      }
      if (connection.link.isLate(io.now, options.stallTimeoutNanos)) {
        server.metrics().stalledClosed.increment();
        close(connection);
      } else if (connection.isIdle(io.now, options.idleTimeoutNanos)) {
        server.metrics().idleClosed.increment();
        close(connection);
      }
    }
    loop.deferred()
        .removeIf(
            connection -> {
              boolean late = connection.link.isLate(io.now, options.stallTimeoutNanos);
              if (late) {
                server.metrics().stalledClosed.increment();
                loop.deferred().close(connection);
              }
              return late;
            });
  }

  private void close(Connection connection) {
    connection.ownership.take();
    loop.deferred().close(connection);
  }

  /** Closes silent connections; after the deadline, all, and counts those with unfinished work. */
  public void draining() {
    int pass = server.drain().pass();
    if (pass > loop.drainPass) {
      forEachKey(this::cutOff);
      loop.deferred()
          .removeIf(
              connection -> {
                loop.deferred().close(connection);
                return true;
              });
      loop.drainPass = pass;
      server.drain().passed();
    } else if (io.now - loop.nextDrainLook >= 0) {
      loop.nextDrainLook = io.now + TimeUnit.MILLISECONDS.toNanos(Drain.LOOK_MILLIS);
      forEachKey(
          connection -> {
            if (connection.ownership.isInLoop() && connection.isQuiet(io.now, Drain.QUIET_NANOS)) {
              closeGracefully(connection);
            }
          });
    }
  }

  private void cutOff(Connection connection) {
    // From now on its owner must hand it over. Otherwise, a broken connection could be given back
    // unnoticed, and no thread would close it.
    connection.ownership.markUnwatched();
    if (connection.ownership.isInLoop()) {
      if (connection.hasWork()) {
        server.metrics().cutOff.increment();
      }
      closeGracefully(connection);
    } else if (!connection.closing) {
      server.metrics().cutOff.increment();
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
    boolean late = server.run().stopDeadlinePassed();
    if (!loop.givesNoMore) {
      loop.givesNoMore = true;
      server.loops().givesNoMore();
    }
    // Asked before the look at what was given: what comes before the answer is then seen.
    boolean mayBeGiven = !server.loops().giveNoMore();
    boolean open = false;
    for (SelectionKey key : loop.selector().keys()) {
      Connection connection = (Connection) key.attachment();
      if (!key.isValid() || connection == null) {
        continue;
      }
      // After the deadline its owner must hand it over, and so detect that the loop has ended.
      // Otherwise, a connection could be given back after this check, and no thread would close it.
      if (late) {
        connection.ownership.markUnwatched();
      }
      if (late && connection.ownership.isInLoop()) {
        if (connection.hasWork()) {
          server.metrics().cutOff.increment();
        }
        connection.closeGracefully(io);
      } else if (late) {
        // Its owner is stuck in a handler: it gets no reply out any more, but it ends the session.
        if (!connection.closing) {
          server.metrics().cutOff.increment();
        }
        connection.link.abort();
      } else {
        if (connection.ownership.isInLoop() && !connection.hasMoreToSay()) {
          if (connection.hasWork()) {
            server.metrics().cutOff.increment();
          }
          // Not here: a hook that blocks would hold up the replies of the others.
          closeGracefully(connection);
        }
        open = true;
      }
    }
    loop.deferred()
        .removeIf(
            connection -> {
              connection.closeGracefully(io);
              return true;
            });
    boolean empty =
        loop.accepted().isEmpty()
            && loop.adopted().isEmpty()
            && loop.returned().isEmpty()
            && loop.deferred().forRoom().isEmpty();
    if (late) {
      server.workers().closeQueued(io);
    }
    if (!open && !mayBeGiven && empty || late) {
      loop.finish(io);
    }
  }
}
