package dev.ringside.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The order of windows. Each block has one window for every arm (in a duet: for every pair of the
 * baseline and another arm), in a random order of its own. So all arms have the same number of
 * windows, and windows that are compared are close together in time.
 */
final class Schedule {
  private Schedule() {}

  /**
   * Returns the schedule; a pure function of its arguments.
   *
   * @param baseline index of the arm that is loaded together with each other arm; -1 for one arm at
   *     a time
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

  /** Shuffles by Fisher and Yates: every order is equally likely. */
  private static void shuffle(List<Slot> cells, SplittableRandom random) {
    for (int i = cells.size() - 1; i > 0; i--) {
      Collections.swap(cells, i, random.nextInt(i + 1));
    }
  }
}
