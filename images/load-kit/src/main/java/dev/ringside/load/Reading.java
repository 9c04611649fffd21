package dev.ringside.load;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the pods of a store had counted at one moment, each since it began. */
final class Reading {
  /** CPU time of the process: the counter that every pod must have. */
  static final String CPU = "cpu_ns";

  private final List<Map<String, Long>> pods;

  /**
   * Not copied.
   *
   * @param pods the counters of each, null for one that did not answer
   */
  Reading(List<Map<String, Long>> pods) {
    this.pods = pods;
  }

  /** Whether all pods answered. */
  boolean complete() {
    return !pods.contains(null);
  }

  /** A counter over all pods of a complete reading; null where not every pod has it. */
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
   * What was counted since an earlier reading, over all pods: of the counters that each has. Null
   * where it is not known: a pod did not answer, has no CPU time, or began anew in between.
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
