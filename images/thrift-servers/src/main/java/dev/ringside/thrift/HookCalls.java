package dev.ringside.thrift;

import org.apache.thrift.TException;

/**
 * Calls the hooks for the beginning and the end of one connection. Hooks may block. A hook that
 * blocks on the thread that leads the loop costs it the loop. Observation decides where hooks are
 * called from then on.
 */
final class HookCalls {
  private final TDisruptorServer server;
  private final MethodHabits habits;
  private final Session session;

  HookCalls(TDisruptorServer server, Session session) {
    this.server = server;
    this.habits = server.hooks();
    this.session = session;
  }

  /** Begins the session; returns true if this thread led the loop and still does. */
  boolean begin(Io io, boolean asLeader) throws TException {
    long began = System.nanoTime();
    if (!asLeader) {
      session.begin();
      habits.ranHandedOff(System.nanoTime() - began);
      return false;
    }
    boolean leads = false;
    open(io);
    try {
      session.begin();
    } finally {
      leads = close(io, began);
    }
    return leads;
  }

  /**
   * Closes a connection on the thread that leads its loop.
   *
   * @return false if that has cost the leadership
   */
  boolean closeAsLeader(Connection connection, Io io) {
    long began = System.nanoTime();
    boolean leads = false;
    open(io);
    try {
      connection.close(io);
    } finally {
      leads = close(io, began);
    }
    return leads;
  }

  /** Ends the session. */
  void end(boolean handedOff) {
    long began = System.nanoTime();
    session.end();
    if (handedOff) {
      habits.ranHandedOff(System.nanoTime() - began);
    }
  }

  private void open(Io io) {
    io.leadership.beginHooks(habits);
    server.watchdog().watch();
  }

  private boolean close(Io io, long began) {
    boolean leads = io.leadership.endHooks();
    if (leads) {
      habits.ranInline(System.nanoTime() - began, -1);
    }
    return leads;
  }
}
