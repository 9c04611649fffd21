package dev.ringside.load;

import java.util.concurrent.locks.LockSupport;

/** The clock of a load. Tests use another one. */
interface Clock {
  /** Returns the time in nanoseconds, as {@link System#nanoTime}. */
  long nanoTime();

  /** Sleeps until that time or a little longer; returns at once if it has passed. */
  void sleepUntil(long nanos);

  /**
   * The machine's clock. Sleeps end some 50 µs late, which counts as waiting time of the operation.
   */
  Clock SYSTEM =
      new Clock() {
        @Override
        public long nanoTime() {
          return System.nanoTime();
        }

        @Override
        public void sleepUntil(long nanos) {
          for (long left = nanos - nanoTime(); left > 0; left = nanos - nanoTime()) {
            LockSupport.parkNanos(left);
          }
        }
      };
}
