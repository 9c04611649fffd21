package dev.ringside.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The order of windows: blocks that hold every arm (in a duet every pair of the baseline and
 * another arm) once, each block in an order of its own. So all have equally many windows, and what
 * is compared lies close together in time.
 */
final class Schedule {
  private Schedule() {}

  /**
   * A pure function of its arguments.
   *
   * @param baseline place of the arm that is loaded beside each of the others; -1 for one arm at a
   *     time
   */
  static List<Slot> of(List<Arm> arms, int baseline, int blocks, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Slot> slots = new ArrayList<>();
    for (int block = 0; block < blocks; block++) {
      List<Slot> cells = new ArrayList<>();
      for (int arm = 0; arm < arms.size(); arm++) {
        if (baseline < 0) {
          cells.add(new Slot(Collections.singletonList(new Side(arm, arms.get(arm).name()))));
        } else if (arm != baseline) {
          cells.add(duet(arms, baseline, arm, random.nextBoolean()));
        }
      }
      shuffle(cells, random);
      slots.addAll(cells);
    }
    return slots;
  }

  private static Slot duet(List<Arm> arms, int baseline, int other, boolean swapped) {
    String name = arms.get(other).name();
    Side[] sides = {
      new Side(other, name), new Side(baseline, arms.get(baseline).name() + "@" + name)
    };
    if (swapped) {
      Collections.reverse(Arrays.asList(sides));
    }
    return new Slot(Arrays.asList(sides));
  }

  /** Fisher and Yates: every order is equally likely. */
  private static void shuffle(List<Slot> cells, SplittableRandom random) {
    for (int i = cells.size() - 1; i > 0; i--) {
      Collections.swap(cells, i, random.nextInt(i + 1));
    }
  }
}
