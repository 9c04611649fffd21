package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.metrics.Failure;
import java.io.IOException;
import java.nio.channels.Selector;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** Holds the selector of one event loop, and wakes the thread that waits in it. */
public final class LoopSelector {
  private final ServerRun run;
  private final Alarm alarm;
  private final Selector selector;
  private final BooleanSupplier hasTurn;

  /** True while the leader waits in select, or is about to. */
  private volatile boolean asleep;

  /** Whether the last wake-up has failed; the watchdog repeats it. */
  private volatile boolean unwoken;

  /**
   * Creates it.
   *
   * @param hasTurn reports whether the loop has work besides ready connections
   */
  public LoopSelector(ServerRun run, Alarm alarm, Selector selector, BooleanSupplier hasTurn) {
    this.run = run;
    this.alarm = alarm;
    this.selector = selector;
    this.hasTurn = hasTurn;
  }

  public Selector selector() {
    return selector;
  }

  /** Reports whether a thread waits, or is about to. */
  public boolean isAsleep() {
    return asleep;
  }

  /**
   * Waits for ready connections, unless there is other work. For the leader.
   *
   * @param mostMillis returns the longest time to wait, negative for no limit; called after other
   *     threads can see that the loop is about to sleep, so that a thread that changes the answer
   *     wakes it
   */
  public void select(ReadyKeys ready, LongSupplier mostMillis) throws IOException {
    // Set before the checks, so that a change after them wakes the selector.
    asleep = true;
    try {
      long millis = mostMillis.getAsLong();
      ready.select(selector, hasTurn.getAsBoolean() ? 0 : millis);
    } finally {
      asleep = false;
    }
  }

  /** Ends the wait. May be called from any thread. Never fails. */
  public void wakeUp() {
    if (asleep) {
      asleep = false;
      wakeSelector();
    }
  }

  private void wakeSelector() {
    try {
      selector.wakeup();
    } catch (Throwable e) {
      unwoken = true;
      run.report(Failure.WAKE_UP, e);
      alarm.watch();
    }
  }

  /** Reports whether the leader could not be woken. For the watchdog. */
  public boolean lacksWakeUp() {
    return unwoken;
  }

  /** Wakes the leader if that has failed; returns true if it had. For the watchdog. */
  public boolean wakeAgain() {
    boolean again = unwoken;
    if (again) {
      unwoken = false;
      wakeSelector();
    }
    return again;
  }
}
