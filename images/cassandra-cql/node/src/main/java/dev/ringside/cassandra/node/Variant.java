package dev.ringside.cassandra.node;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the chart promises of a server, and what this process is. */
final class Variant {
  /** The part of the names of a collector's beans that no other collector has. */
  private static final Map<String, String> BEANS =
      Map.of("CMS", "ConcurrentMarkSweep", "G1", "G1 ", "ZGC", "ZGC", "Shenandoah", "Shenandoah");

  private Variant() {}

  /**
   * Checks the promise.
   *
   * @param version of Cassandra, as it reports it
   * @throws IllegalArgumentException with a message of one line if the process is another variant
   */
  static void check(Pod pod, String version) {
    String collectors =
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .map(GarbageCollectorMXBean::getName)
            .collect(Collectors.joining(", "));
    String problems =
        problems(pod, version, Integer.toString(Runtime.version().feature()), collectors);
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException("server " + pod.server() + " " + problems);
    }
  }

  /** Returns the differences in one line; empty if there are none. */
  static String problems(Pod pod, String version, String java, String collectors) {
    String collector = pod.text("RINGSIDE_COLLECTOR");
    String bean = BEANS.getOrDefault(collector, collector);
    return Stream.of(
            differs("Cassandra", pod.text("RINGSIDE_VERSION"), version),
            differs("Java", pod.text("RINGSIDE_JAVA"), java),
            collectors.contains(bean) ? "" : needs("collector", collector, collectors))
        .filter(problem -> !problem.isEmpty())
        .collect(Collectors.joining(" and "));
  }

  private static String differs(String what, String wanted, String is) {
    return wanted.equals(is) ? "" : needs(what, wanted, is);
  }

  private static String needs(String what, String wanted, String is) {
    return String.format(Locale.ROOT, "needs %s %s, but runs with %s", what, wanted, is);
  }
}
