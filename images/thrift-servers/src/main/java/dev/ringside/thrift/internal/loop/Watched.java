package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.habits.CpuLoad;
import dev.ringside.thrift.internal.habits.MethodHabits;

/**
 * Runs code of one kind that may block and is not a request: hooks, or the steps of a TLS handshake
 * that Java delegates. On the thread that leads a loop it may cost the thread the leadership.
 * Observation decides where such code runs from then on. Thread-safe.
 */
public final class Watched {
  /** Is such code. */
  public interface Action<E extends Exception> {
    void run() throws E;
  }

  private final MethodHabits habits;

  public Watched(long limitNanos) {
    this.habits = MethodHabits.ofHooks(limitNanos);
  }

  /** Reports whether a worker should run the next such code. */
  public boolean handOff() {
    return habits.handOff();
  }

  /**
   * Runs an action.
   *
   * @param leads whether the current thread leads a loop
   * @return whether it does so afterwards
   */
  public <E extends Exception> boolean run(Io io, boolean leads, Action<E> action) throws E {
    long began = System.nanoTime();
    boolean suspicious = leads && habits.isSuspicious();
    long cpuBegan = suspicious ? CpuLoad.nanos() : 0;
    boolean stays = false;
    if (leads) {
      io.leadership.beginHooks(habits);
    }
    try {
      action.run();
    } finally {
      stays = leads && io.leadership.endHooks();
      if (stays) {
        habits.ranInline(System.nanoTime() - began, suspicious ? CpuLoad.nanos() - cpuBegan : -1);
      } else if (!leads) {
        habits.ranHandedOff(System.nanoTime() - began);
      }
    }
    return stays;
  }
}
