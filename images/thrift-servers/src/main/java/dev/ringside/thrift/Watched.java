package dev.ringside.thrift;

/**
 * Runs code of one kind that may block and is not a request: hooks, or the steps of a TLS handshake
 * that Java delegates. On the thread that leads a loop it may cost the thread the leadership.
 * Observation decides where such code runs from then on. Thread-safe.
 */
final class Watched {
  /** Is such code. */
  interface Action<E extends Exception> {
    void run() throws E;
  }

  private final TDisruptorServer server;
  private final MethodHabits habits;

  Watched(TDisruptorServer server, long limitNanos) {
    this.server = server;
    this.habits = MethodHabits.ofHooks(limitNanos);
  }

  /** Reports whether a worker should run the next such code. */
  boolean handOff() {
    return habits.handOff();
  }

  /**
   * Runs an action.
   *
   * @param leads whether the current thread leads a loop
   * @return whether it does so afterwards
   */
  <E extends Exception> boolean run(Io io, boolean leads, Action<E> action) throws E {
    long began = System.nanoTime();
    boolean stays = false;
    if (leads) {
      io.leadership.beginHooks(habits);
      server.watchdog().watch();
    }
    try {
      action.run();
    } finally {
      stays = leads && io.leadership.endHooks();
      if (stays) {
        habits.ranInline(System.nanoTime() - began, -1);
      } else if (!leads) {
        habits.ranHandedOff(System.nanoTime() - began);
      }
    }
    return stays;
  }
}
