package dev.ringside.thrift.internal.loop;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Wakes the {@link Watchdog}, which sleeps while nothing happens. Thread-safe. */
public final class Alarm {
  private volatile @Nullable Thread thread;
  private volatile boolean asleep;
  private volatile long sleeps;
  private volatile long due;

  /** Records that the current thread is the watchdog's. */
  public void begin() {
    thread = Thread.currentThread();
  }

  /**
   * Wakes the watchdog if it sleeps. Called by a leader that begins to run code that may block, and
   * by a thread that finds no worker for a request. Costs one volatile read, unless the watchdog
   * sleeps.
   */
  public void watch() {
    if (asleep) {
      end();
    }
  }

  /**
   * Wakes the watchdog if it has slept for so long that it should look at the load. Called by
   * leaders, with System.nanoTime(). Costs one volatile read, unless the watchdog sleeps.
   */
  public void watchIfDue(long now) {
    if (asleep && now - due >= 0) {
      end();
    }
  }

  /** Ends what the watchdog waits for, whether it sleeps or pauses between two polls. */
  public void end() {
    asleep = false;
    LockSupport.unpark(thread);
  }

  /**
   * Waits for {@link #watch()} without a limit, unless it is needed. For the watchdog.
   *
   * @param next System.nanoTime() from which on a leader that does anything wakes it
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // Only this thread changes the count.
  public void sleepUnless(BooleanSupplier needed, long next) {
    sleeps = sleeps + 1;
    due = next;
    // First this, then the look: who begins something after the look sees this and wakes us.
    asleep = true;
    while (asleep && !needed.getAsBoolean()) {
      LockSupport.park(this);
      Thread.interrupted();
    }
    asleep = false;
  }

  /** Returns how often the watchdog has gone to sleep. */
  public long sleeps() {
    return sleeps;
  }

  public boolean isAsleep() {
    return asleep;
  }
}
