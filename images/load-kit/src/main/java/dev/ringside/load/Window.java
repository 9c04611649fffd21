package dev.ringside.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A slot of the schedule whose time has come. */
final class Window {
  /** At a constant rate all threads are awake before the first operation is due. */
  private static final long LEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final Slot slot;
  private final long start;
  private final long end;
  private final List<Agenda> agendas = new ArrayList<>();

  /**
   * A window.
   *
   * @param rate operations per second over all threads; 0 for a closed loop
   * @param batch operations that are due together
   * @param patienceNanos how long after the end what was due in it may still begin
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

  /** A window that begins now; where operations are due, once all threads are awake. */
  static Window beginning(
      Clock clock, Slot slot, long lengthNanos, int rate, int batch, long patienceNanos) {
    long start = clock.nanoTime() + (rate > 0 ? LEAD_NANOS : 0);
    return new Window(slot, start, start + lengthNanos, rate, batch, patienceNanos);
  }

  Slot slot() {
    return slot;
  }

  /** As {@link System#nanoTime}. */
  long start() {
    return start;
  }

  /** What is to be done on one of the slot's sides, by all threads that serve it. */
  Agenda agenda(int side) {
    return agendas.get(side);
  }

  /** Nothing is due then or later. */
  long end() {
    return end;
  }
}
