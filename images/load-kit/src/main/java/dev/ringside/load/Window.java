package dev.ringside.load;

import java.util.concurrent.TimeUnit;

/** A slot of the schedule whose time has come. */
final class Window {
  /** At a constant rate all threads are awake before the first operation is due. */
  private static final long LEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final Slot slot;
  private final long start;
  private final long end;
  private final int rate;

  /**
   * A window.
   *
   * @param rate operations per second over all threads; 0 for a closed loop
   */
  Window(Slot slot, long start, long end, int rate) {
    this.slot = slot;
    this.start = start;
    this.end = end;
    this.rate = rate;
  }

  /** A window that begins now; where operations are due, once all threads are awake. */
  static Window beginning(Clock clock, Slot slot, long length, int rate) {
    long start = clock.nanoTime() + (rate > 0 ? LEAD_NANOS : 0);
    return new Window(slot, start, start + length, rate);
  }

  Slot slot() {
    return slot;
  }

  /** As {@link System#nanoTime}. */
  long start() {
    return start;
  }

  /** When the operations of one of the threads are due, so many at a time. */
  Pace pace(int thread, int threads, int batch) {
    return new Pace(rate, thread, threads, batch);
  }

  /** No operation begins then or later. */
  long end() {
    return end;
  }
}
