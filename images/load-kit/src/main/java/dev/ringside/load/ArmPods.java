package dev.ringside.load;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which of the store's pods serve which arm: those on the hosts of the arm's endpoints. In a shared
 * store, each arm has all pods.
 */
final class ArmPods {
  private final List<SortedSet<Integer>> byArm = new ArrayList<>();

  /**
   * Attributes the pods.
   *
   * @param counters a port of each pod; a pod is identified by its index in this list
   */
  ArmPods(List<Arm> arms, List<Endpoint> counters) {
    arms.forEach(arm -> byArm.add(podsOf(arm, counters)));
  }

  /** Returns all pods if none is the arm's, because then its hosts are written differently. */
  private static SortedSet<Integer> podsOf(Arm arm, List<Endpoint> counters) {
    SortedSet<Integer> all = new TreeSet<>();
    SortedSet<Integer> its = new TreeSet<>();
    for (int pod = 0; pod < counters.size(); pod++) {
      all.add(pod);
      if (arm.isOn(counters.get(pod).host())) {
        its.add(pod);
      }
    }
    return its.isEmpty() ? all : its;
  }

  /** Returns the pods of all these sides. */
  Collection<Integer> of(List<Side> sides) {
    SortedSet<Integer> pods = new TreeSet<>();
    sides.forEach(side -> pods.addAll(byArm.get(side.arm())));
    return pods;
  }

  /**
   * Returns the sides of a window in groups with pods of their own: each side alone, or the two of
   * a duet together if they have a pod in common.
   */
  List<List<Side>> separate(List<Side> sides) {
    List<List<Side>> alone = new ArrayList<>();
    SortedSet<Integer> taken = new TreeSet<>();
    for (Side side : sides) {
      SortedSet<Integer> pods = byArm.get(side.arm());
      if (!Collections.disjoint(taken, pods)) {
        return Collections.singletonList(sides);
      }
      taken.addAll(pods);
      alone.add(Collections.singletonList(side));
    }
    return alone;
  }
}
