package dev.ringside.load;

import java.util.Collections;
import java.util.List;

/**
 * A window's place in the schedule: the arms that are loaded in it, side by side. A window of one
 * arm has one side, which all threads serve; of a duet's two sides each is served by half of them.
 */
public final class Slot {
  private final List<Side> sides;

  Slot(List<Side> sides) {
    this.sides = Collections.unmodifiableList(sides);
  }

  /** One or two. */
  public List<Side> sides() {
    return sides;
  }

  /** Which of the sides a thread serves: equal numbers of neighbours, for a side's endpoints. */
  int sideOf(int thread, int threads) {
    return (int) ((long) thread * sides.size() / threads);
  }

  @Override
  public String toString() {
    return sides.toString();
  }
}
