package dev.ringside.load;

/** A slot of the schedule whose time has come. */
final class Window {
  private final Slot slot;
  private final long start;
  private final long end;

  Window(Slot slot, long start, long end) {
    this.slot = slot;
    this.start = start;
    this.end = end;
  }

  Slot slot() {
    return slot;
  }

  /** As {@link System#nanoTime}. */
  long start() {
    return start;
  }

  /** No operation begins then or later. */
  long end() {
    return end;
  }
}
