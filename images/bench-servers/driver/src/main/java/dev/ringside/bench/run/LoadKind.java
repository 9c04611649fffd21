package dev.ringside.bench.run;

import java.util.ArrayList;
import java.util.List;

/**
 * Defines the arrival of requests: in a closed loop or at a constant rate.
 *
 * @param percent of the rate that the server just had in a closed loop; 0 for the closed loop
 */
record LoadKind(int percent) {
  static final LoadKind CLOSED = new LoadKind(0);
  private static final int MOST_PERCENT = 100;

  /**
   * Returns the closed loop, and an open one for each percentage.
   *
   * @throws IllegalArgumentException with one line that describes the error
   */
  static List<LoadKind> of(List<Integer> percents) {
    List<LoadKind> kinds = new ArrayList<>();
    kinds.add(CLOSED);
    for (int percent : percents) {
      if (percent < 1 || percent > MOST_PERCENT) {
        throw new IllegalArgumentException(
            "no open loop at "
                + percent
                + "% of the closed one's rate: give whole numbers from 1 to "
                + MOST_PERCENT);
      }
      kinds.add(new LoadKind(percent));
    }
    return kinds;
  }

  boolean isOpen() {
    return percent > 0;
  }

  @Override
  public String toString() {
    return isOpen() ? "open-" + percent : "closed";
  }
}
