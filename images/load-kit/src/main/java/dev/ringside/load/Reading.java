package dev.ringside.load;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The counters of a store's pods at one moment. Each pod counts from its own start. */
final class Reading {
  /** CPU time of the process; every pod must have this counter. */
  static final String CPU = "cpu_ns";

  private final List<Map<String, Long>> pods;

  /**
   * Creates a reading. The list is not copied.
   *
   * @param pods the counters of each pod; null for a pod that did not answer
   */
  Reading(List<Map<String, Long>> pods) {
    this.pods = pods;
  }

  /** Reports whether all pods answered. */
  boolean complete() {
    return !pods.contains(null);
  }

  /** Returns what some of the pods counted, by their indices; what none counted is not known. */
  Reading of(Collection<Integer> some) {
    List<Map<String, Long>> part = new ArrayList<>();
    if (some.isEmpty()) {
      part.add(null);
    }
    some.forEach(pod -> part.add(pods.get(pod)));
    return new Reading(part);
  }

  /**
   * Returns the sum of a counter over all pods of a complete reading; null if a pod does not have
   * it.
   */
  Long sum(String name) {
    long sum = 0;
    for (Map<String, Long> pod : pods) {
      Long value = pod.get(name);
      if (value == null) {
        return null;
      }
      sum += value;
    }
    return sum;
  }

  /**
   * Returns the increase of each counter that all pods have since an earlier reading, summed over
   * all pods. Returns null if it is not known: a pod did not answer, has no CPU time, or was
   * restarted.
   */
  Map<String, Long> since(Reading earlier) {
    if (!complete() || !earlier.complete()) {
      return null;
    }
    Map<String, Long> sums = new TreeMap<>(pods.get(0));
    sums.replaceAll((name, value) -> 0L);
    for (int pod = 0; pod < pods.size(); pod++) {
      Map<String, Long> now = pods.get(pod);
      Map<String, Long> before = earlier.pods.get(pod);
      sums.keySet().removeIf(name -> !now.containsKey(name) || !before.containsKey(name));
      for (Map.Entry<String, Long> sum : sums.entrySet()) {
        long counted = now.get(sum.getKey()) - before.get(sum.getKey());
        if (counted < 0) {
          return null;
        }
        sum.setValue(sum.getValue() + counted);
      }
    }
    return sums.containsKey(CPU) ? sums : null;
  }
}
