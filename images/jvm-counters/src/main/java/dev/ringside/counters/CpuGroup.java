package dev.ringside.counters;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Groups of a node's threads by purpose, recognized by thread names. Threads in no group count as
 * the rest.
 */
public enum CpuGroup {
  /**
   * The servers for clients, of Thrift or CQL: sockets, frames, hand-offs, and requests up to the
   * coordinator, which run on the servers' own threads.
   */
  SERVER(
      "Ringside-.*|Thrift-(Acceptor|Selector)_.*|cassandra-\\d+-.*"
          + "|(epoll|nio)EventLoopGroup-.*|Native-Transport-.*",
      ""),
  /** Cassandra's stages for requests. Threads of the shared pool have the names of the stages. */
  REQUEST(
      "SharedPool-Worker-.*|(Read|Mutation|CounterMutation|ViewMutation|RequestResponse|ReadRepair)"
          + "Stage[-:].*",
      ""),
  /** Traffic between nodes. */
  MESSAGING("MessagingService-.*|ACCEPT-.*|Messaging-.*", ""),
  /**
   * Garbage collectors, and the VM thread, which does the serial part of a collection and other
   * safepoints.
   */
  GC(
      "",
      "Gang worker#.*|GC (task )?[Tt]hread.*|Concurrent Mark.*|CMS .*|G1 .*|Shenandoah.*"
          + "|Z(Worker|Driver).*|VM Thread"),
  COMPILER("", "C[12] CompilerThre.*|Sweeper thread");

  /** The package of libthrift's own thread classes, whose threads have no names of their own. */
  private static final String LIBTHRIFT = "org.apache.thrift.";

  private final Pattern names;
  private final Pattern nativeNames;

  CpuGroup(String names, String nativeNames) {
    this.names = Pattern.compile(names);
    this.nativeNames = Pattern.compile(nativeNames);
  }

  /** Returns the name of the counter. */
  String counter() {
    return "cpu_" + name().toLowerCase(Locale.ROOT) + "_ns";
  }

  /** Returns the group of a Java thread; null for the rest. */
  public static CpuGroup of(Thread thread) {
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

  /**
   * Returns the group of a native thread of the JVM by its name in the kernel; null for the rest.
   */
  static CpuGroup ofNative(String name) {
    for (CpuGroup group : values()) {
      if (group.nativeNames.matcher(name).matches()) {
        return group;
      }
    }
    return null;
  }
}
