package dev.ringside.thrift.internal.loop;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Wakes the {@link Watchdog}, which sleeps while nothing happens. Thread-safe. */
public final class Alarm {
  private volatile @Nullable Thread thread;
  private volatile boolean asleep;
  private volatile long sleeps;

  /** Records that the current thread is the watchdog's. */
  public void begin() {
    thread = Thread.currentThread();
  }

  /**
   * Wakes the watchdog if it sleeps. Called by a leader that begins to run code that may block, and
   * from time to time while it serves, and by a thread that finds no worker for a request. Costs
   * one volatile read, unless the watchdog sleeps.
   */
  public void watch() {
    if (asleep) {
      end();
    }
  }

  /** Ends what the watchdog waits for, whether it sleeps or pauses between two polls. */
  public void end() {
    asleep = false;
    LockSupport.unpark(thread);
  }

  /** Waits for {@link #watch()} without a limit, unless it is needed. For the watchdog. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // Only this thread changes the count.
  public void sleepUnless(BooleanSupplier needed) {
    sleeps = sleeps + 1;
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
