package dev.ringside.cassandra.node;

import dev.ringside.contract.ServerProof;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.cassandra.utils.FBUtilities;

/** What this process is, and whether the chart promises it of the server. */
final class Variant {
  /** The part of the names of a collector's beans that no other collector has. */
  private static final Map<String, String> BEANS =
      Map.of("CMS", "ConcurrentMarkSweep", "G1", "G1 ", "ZGC", "ZGC", "Shenandoah", "Shenandoah");

  private final String version;
  private final String java;
  private final String collector;

  /**
   * Creates a description.
   *
   * @param version of Cassandra, as it reports it
   * @param java feature version, such as 17
   * @param collectors names of the collectors' beans
   */
  Variant(String version, String java, String collectors) {
    this.version = version;
    this.java = java;
    this.collector =
        BEANS.entrySet().stream()
            .filter(bean -> collectors.contains(bean.getValue()))
            .map(Map.Entry::getKey)
            .findFirst()
            .orElse(collectors);
  }

  /** Returns what this process is. */
  static Variant ofProcess() {
    return new Variant(
        FBUtilities.getReleaseVersionString(),
        Integer.toString(Runtime.version().feature()),
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .map(GarbageCollectorMXBean::getName)
            .collect(Collectors.joining(", ")));
  }

  /** Adds it to the settings of a proof, by its names in the chart's values. */
  void tell(ServerProof proof) {
    proof.withSetting("version", version, false);
    proof.withSetting("java", java, false);
    proof.withSetting("collector", collector, false);
  }

  /**
   * Checks that this is what the chart promises.
   *
   * @param upgraded the version that the node's data were upgraded to; empty if they were not
   * @throws IllegalArgumentException with a message of one line if not
   */
  void check(Pod pod, Optional<String> upgraded) {
    String promised = upgraded.orElseGet(() -> pod.text("RINGSIDE_VERSION"));
    String problems =
        Stream.of(
                differs("Cassandra", promised, version),
                differs("Java", pod.text("RINGSIDE_JAVA"), java),
                differs("collector", pod.text("RINGSIDE_COLLECTOR"), collector))
            .filter(problem -> !problem.isEmpty())
            .collect(Collectors.joining(" and "));
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException("server " + pod.server() + " " + problems);
    }
  }

  private static String differs(String what, String wanted, String is) {
    return wanted.equals(is)
        ? ""
        : String.format(Locale.ROOT, "needs %s %s, but runs with %s", what, wanted, is);
  }
}
