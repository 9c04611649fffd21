package dev.ringside.load;

import java.util.Collections;
import java.util.List;

/**
 * A window of the schedule: the arms that are loaded in it at the same time. A window of one arm
 * has one side, which all threads serve. A duet has two sides, and half of the threads serve each.
 */
public final class Slot {
  private final List<Side> sides;

  Slot(List<Side> sides) {
    this.sides = Collections.unmodifiableList(sides);
  }

  /** Returns the one or two sides. */
  public List<Side> sides() {
    return sides;
  }

  /**
   * Returns the index of the side that a thread serves. Consecutive threads serve the same side, so
   * that each side uses all its endpoints.
   */
  int sideOf(int thread, int threads) {
    return (int) ((long) thread * sides.size() / threads);
  }

  @Override
  public String toString() {
    return sides.toString();
  }
}
