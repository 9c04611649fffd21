package dev.ringside.load;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Which of the store's pods serve which arm: those on the hosts of the arm's endpoints. In a shared
 * store, whose arms have the same hosts, each arm has all pods, also if the hosts are written
 * differently. Where arms have different hosts, an arm on none of the pods has none, because what
 * all pods counted would be that of all arms.
 */
final class ArmPods {
  private final List<SortedSet<Integer>> byArm = new ArrayList<>();

  /**
   * Attributes the pods.
   *
   * @param counters a port of each pod; a pod is identified by its index in this list
   */
  ArmPods(List<Arm> arms, List<Endpoint> counters) {
    boolean shared = arms.stream().map(ArmPods::hosts).distinct().count() == 1;
    arms.forEach(arm -> byArm.add(podsOf(arm, counters, shared)));
  }

  private static Set<String> hosts(Arm arm) {
    return arm.endpoints().stream().map(Endpoint::host).collect(Collectors.toSet());
  }

  private static SortedSet<Integer> podsOf(Arm arm, List<Endpoint> counters, boolean shared) {
    SortedSet<Integer> all = new TreeSet<>();
    SortedSet<Integer> its = new TreeSet<>();
    for (int pod = 0; pod < counters.size(); pod++) {
      all.add(pod);
      if (arm.isOn(counters.get(pod).host())) {
        its.add(pod);
      }
    }
    return its.isEmpty() && shared ? all : its;
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
