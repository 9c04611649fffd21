package dev.ringside.thrift.internal.work;

import java.util.function.Consumer;

/** Represents one thread on the {@link Roster}. Its state changes under the roster's lock. */
public final class Duty {
  /** Lists the states of a server's thread; see {@link Roster} for the transitions. */
  public enum State {
    /** It was started or woken from PARKED, and is on its way to check for work. */
    COMING,
    /** It leads a loop or runs requests. It is never woken, and checks for work before it waits. */
    RUNNING,
    /** It has no work. Publishers wake it. */
    PARKED,
    /**
     * It waits for the next request of its own connection. It is recalled if no other thread comes.
     */
    LINGERING
  }

  private final Consumer<State> wake;
  private volatile State state = State.COMING;

  /**
   * Creates a duty.
   *
   * @param wake makes the thread read its state again; receives the state that it was woken from.
   *     May run before the thread waits, or after it has continued
   */
  public Duty(Consumer<State> wake) {
    this.wake = wake;
  }

  /** Returns what the thread does. May be called from any thread. */
  public State state() {
    return state;
  }

  /** Sets the state. For the roster, under its lock. */
  void state(State next) {
    state = next;
  }

  /** Wakes the thread. For the roster, without its lock. */
  void wake(State from) {
    wake.accept(from);
  }
}
