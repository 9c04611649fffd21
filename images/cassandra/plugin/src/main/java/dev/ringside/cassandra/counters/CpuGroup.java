package dev.ringside.cassandra.counters;

import java.util.Locale;
import java.util.regex.Pattern;

/** What threads of a node work for, told by their names. What is in no group is the rest. */
enum CpuGroup {
  /**
   * The Thrift servers: sockets, frames, hand-offs, and the requests that they execute on their own
   * threads up to the coordinator.
   */
  SERVER("Ringside-.*|Thrift-(Acceptor|Selector)_.*|cassandra-\\d+-.*", ""),
  /** Cassandra's stages for requests: the shared pool, whose threads take the stages' names. */
  REQUEST(
      "SharedPool-Worker-.*|(Read|Mutation|CounterMutation|ViewMutation|RequestResponse|ReadRepair)"
          + "Stage[-:].*",
      ""),
  /** Traffic between nodes. */
  MESSAGING("MessagingService-.*|ACCEPT-.*", ""),
  /** Collectors, and the VM thread, which does a collection's serial part and other safepoints. */
  GC(
      "",
      "Gang worker#.*|GC (task )?[Tt]hread.*|Concurrent Mark.*|G1 .*|Shenandoah.*|Z(Worker|Driver)"
          + ".*|VM Thread"),
  COMPILER("", "C[12] CompilerThre.*|Sweeper thread");

  /** Those of libthrift that it leaves without a name are classes of its own. */
  private static final String LIBTHRIFT = "org.apache.thrift.";

  private final Pattern names;
  private final Pattern nativeNames;

  CpuGroup(String names, String nativeNames) {
    this.names = Pattern.compile(names);
    this.nativeNames = Pattern.compile(nativeNames);
  }

  /** The name of the counter. */
  String counter() {
    return "cpu_" + name().toLowerCase(Locale.ROOT) + "_ns";
  }

  /** Of a thread that Java knows; null for the rest. */
  static CpuGroup of(Thread thread) {
    if (thread.getClass().getName().startsWith(LIBTHRIFT)) {
      return SERVER;
    }
    for (CpuGroup group : values()) {
      if (group.names.matcher(thread.getName()).matches()) {
        return group;
      }
    }
    return null;
  }

  /** Of a thread of the JVM itself, by the kernel's name for it; null for the rest. */
  static CpuGroup ofNative(String name) {
    for (CpuGroup group : values()) {
      if (group.nativeNames.matcher(name).matches()) {
        return group;
      }
    }
    return null;
  }
}
