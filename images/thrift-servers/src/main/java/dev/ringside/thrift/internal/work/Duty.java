package dev.ringside.thrift.internal.work;

import java.util.function.Consumer;

/** Represents one thread on the {@link Roster}. Its state changes under the roster's lock. */
public final class Duty {
  private final Consumer<WorkerState> wake;
  private volatile WorkerState state = WorkerState.RUNNING;

  /**
   * Creates a duty.
   *
   * @param wake makes the thread read its state again; receives the state that it was woken from.
   *     May run before the thread waits, or after it has continued
   */
  public Duty(Consumer<WorkerState> wake) {
    this.wake = wake;
  }

  /**
   * Returns what the thread does. May be called from any thread; the thread itself sees changes by
   * others in two states only.
   */
  public WorkerState state() {
    return state;
  }

  /** Sets the state. For the roster, under its lock. */
  public void state(WorkerState next) {
    state = next;
  }

  /** Wakes the thread. For the roster, without its lock. */
  public void wake(WorkerState from) {
    wake.accept(from);
  }
}
