package dev.ringside.load;

import java.util.concurrent.locks.LockSupport;

/** The time that a load goes by. */
interface Clock {
  /** Nanoseconds, as {@link System#nanoTime}. */
  long nanoTime();

  /** Returns at that time or later, and at once if it has passed. */
  void sleepUntil(long nanos);

  /**
   * The machine's. It wakes some 50 µs late, which counts as waiting of the operation that was due.
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
