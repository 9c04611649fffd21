package dev.ringside.thrift;

import java.util.function.Consumer;

/** One thread's place on the {@link Roster}, under whose lock its state changes. */
final class Duty {
  private final Consumer<WorkerState> wake;
  private volatile WorkerState state = WorkerState.SEARCHING;

  /**
   * @param wake makes the thread look at its state again, given the state that it has been woken
   *     from; may be called before the thread waits, or after it has gone on
   */
  Duty(Consumer<WorkerState> wake) {
    this.wake = wake;
  }

  /** What the thread does. From any thread; its own sees changes by others in two states only. */
  WorkerState state() {
    return state;
  }

  /** For the roster, under its lock. */
  void state(WorkerState next) {
    state = next;
  }

  /** For the roster, without its lock. */
  void wake(WorkerState from) {
    wake.accept(from);
  }
}
