package dev.ringside.cassandra.node;

import java.util.HashMap;
import java.util.Map;

/** Pods for tests. */
final class Pods {
  private Pods() {}

  /** Returns the pod with that number of a store of four, with further variables. */
  static Pod number(int ordinal, Map<String, String> more) {
    Map<String, String> environment =
        new HashMap<>(
            Map.of(
                "POD_NAME", "trial-" + ordinal,
                "POD_IP", "10.0.0." + (ordinal + 1),
                "RINGSIDE_NODES", "4",
                "RINGSIDE_SEED", "trial-0.trial-ring",
                "RINGSIDE_SERVERS", "v50:9042",
                "RINGSIDE_VERSION", "5.0.9",
                "RINGSIDE_JAVA", "17",
                "RINGSIDE_COLLECTOR", "G1"));
    environment.putAll(more);
    return new Pod(environment::get);
  }

  static Pod number(int ordinal) {
    return number(ordinal, Map.of());
  }
}
