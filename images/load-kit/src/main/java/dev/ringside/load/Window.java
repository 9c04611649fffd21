package dev.ringside.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A window of the schedule with its start and end. */
final class Window {
  /** The time before the start in which all threads wake, at a constant rate. */
  private static final long LEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final Slot slot;
  private final long start;
  private final long end;
  private final List<Agenda> agendas = new ArrayList<>();

  /**
   * Creates a window.
   *
   * @param rate operations per second over all threads; 0 for a closed loop
   * @param batch operations that are due together
   * @param patienceNanos how long after the end operations that were due may still begin
   */
  Window(Slot slot, long start, long end, int rate, int batch, long patienceNanos) {
    this.slot = slot;
    this.start = start;
    this.end = end;
    int sides = slot.sides().size();
    for (int side = 0; side < sides; side++) {
      Pace pace = new Pace(rate, batch, side, sides);
      agendas.add(Agenda.until(pace, start, end, patienceNanos));
    }
  }

  /** Returns a window that begins now, or, at a constant rate, after all threads are awake. */
  static Window beginning(
      Clock clock, Slot slot, long lengthNanos, int rate, int batch, long patienceNanos) {
    long start = clock.nanoTime() + (rate > 0 ? LEAD_NANOS : 0);
    return new Window(slot, start, start + lengthNanos, rate, batch, patienceNanos);
  }

  Slot slot() {
    return slot;
  }

  /** Returns the start, as {@link System#nanoTime}. */
  long start() {
    return start;
  }

  /** Returns the agenda of one side, for all threads that serve it. */
  Agenda agenda(int side) {
    return agendas.get(side);
  }

  /** Returns the end, as {@link System#nanoTime}. No operation is due at or after it. */
  long end() {
    return end;
  }
}
