package dev.ringside.bench.run;

import dev.ringside.bench.handler.HandlerThreads;
import dev.ringside.server.ServerType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Describes a server in the comparison and how its process is started.
 *
 * @param id name in tables
 * @param module folder with its class path, or its program
 * @param mainClass main class of its process; empty for the plain echo, which is not Java
 * @param type first argument of the process, or the name of its program
 * @param role its role in the comparison
 * @param pool whether its requests run on the given number of workers
 * @param maxConnections connections that it can serve at a time
 */
record Contender(
    String id,
    String module,
    String mainClass,
    String type,
    Role role,
    boolean pool,
    int maxConnections) {

  /** Lists the roles in the comparison. */
  enum Role {
    /** A server of another project. */
    PEER,
    /** A server of this project. */
    OURS,
    /**
     * The reference under a second name (A/A). It is not a peer, because the better of two names is
     * biased.
     */
    TWIN,
    /** The plain echo: no server can cost less. */
    FLOOR
  }

  private static final String SERVER_MAIN = "dev.ringside.bench.server.ServerMain";
  private static final String NIFTY_MAIN = "dev.ringside.bench.nifty.NiftyMain";
  private static final String DRIFT_MAIN = "dev.ringside.bench.drift.DriftMain";
  private static final String FLOOR = "floor";

  /** The folder of the programs that are not Java. */
  static final String NATIVE = "native";

  private static final String NEWEST = "libthrift";
  private static final String OLD = "libthrift09";
  private static final String OLD_SUFFIX = "-09";
  private static final String BEFORE = "-before";
  private static final String INLINE = "-inline";
  private static final String AGAIN = "-again";

  /** Returns the plain echo. */
  static Contender floor() {
    return new Contender(FLOOR, NATIVE, "", FLOOR, Role.FLOOR, false, Integer.MAX_VALUE);
  }

  /** Returns all servers, the floor first. */
  static List<Contender> all() {
    List<Contender> all = new ArrayList<>();
    all.add(floor());
    for (ServerType type : ServerType.values()) {
      if (type == ServerType.XEDIN) {
        all.add(server(type, "", "xedin"));
        continue;
      }
      all.add(server(type, "", NEWEST));
      all.add(server(type, OLD_SUFFIX, OLD));
      if (type == ServerType.THREADEDSELECTOR) {
        all.add(withoutPool(server(type, INLINE, NEWEST)));
        all.add(withoutPool(server(type, INLINE + OLD_SUFFIX, OLD)));
      }
    }
    Contender nifty =
        new Contender("nifty", "nifty", NIFTY_MAIN, "nifty", Role.PEER, true, Integer.MAX_VALUE);
    all.add(nifty);
    all.add(withoutPool(nifty.named("nifty" + INLINE)));
    all.add(drift("", HandlerThreads.POOL));
    Contender loops = drift("-loops", HandlerThreads.LOOPS);
    all.add(loops);
    all.add(withoutPool(loops.named("drift" + INLINE)));
    return all;
  }

  /**
   * Returns the servers of a list, or all servers if it is empty.
   *
   * @throws IllegalArgumentException with a line that lists the valid names
   */
  static List<Contender> of(List<String> ids) {
    List<Contender> all = all();
    for (String id : ids) {
      if (all.stream().noneMatch(contender -> contender.id.equals(id))) {
        throw new IllegalArgumentException(
            "unknown server '"
                + id
                + "': use some of "
                + all.stream().map(Contender::id).collect(Collectors.joining(", ")));
      }
    }
    return all.stream().filter(server -> ids.isEmpty() || ids.contains(server.id)).toList();
  }

  /**
   * Returns those of some servers that can run with their library's defaults.
   *
   * @param ids names that a user has chosen; empty for all servers
   * @throws IllegalArgumentException with one line if one of these is a variant
   */
  static List<Contender> withDefaults(List<String> ids) {
    List<Contender> chosen = of(ids);
    for (Contender contender : chosen) {
      if (!ids.isEmpty() && contender.isVariant()) {
        throw new IllegalArgumentException(
            "'"
                + contender.id
                + "' is a variant with threads of its own, not its library's defaults: leave it out"
                + " of --servers, or leave out --defaults");
      }
    }
    return chosen.stream().filter(contender -> !contender.isVariant()).toList();
  }

  /**
   * Returns these servers, and those of this project from another build as peers. Their names end
   * in {@code -before}.
   *
   * @param home the other build's folder of modules
   */
  static List<Contender> withBefore(List<Contender> contenders, Path home) {
    List<Contender> both = new ArrayList<>(contenders);
    for (Contender now : contenders) {
      if (now.role == Role.OURS) {
        both.add(
            new Contender(
                now.id + BEFORE,
                home.toAbsolutePath().resolve(now.module).toString(),
                now.mainClass,
                now.type,
                Role.PEER,
                now.pool,
                now.maxConnections));
      }
    }
    return both;
  }

  /**
   * Returns these servers, and one of them under a second name with the same class path and load
   * (A/A). Differences between the two names are noise.
   *
   * @throws IllegalArgumentException with one line if that server does not take part
   */
  static List<Contender> withAgain(List<Contender> contenders, String id) {
    Contender twin =
        contenders.stream()
            .filter(contender -> contender.id.equals(id))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "'"
                            + id
                            + "' takes no part in the race: use one of "
                            + contenders.stream()
                                .map(Contender::id)
                                .collect(Collectors.joining(", "))));
    List<Contender> all = new ArrayList<>(contenders);
    all.add(
        new Contender(
            twin.id + AGAIN,
            twin.module,
            twin.mainClass,
            twin.type,
            Role.TWIN,
            twin.pool,
            twin.maxConnections));
    return all;
  }

  /**
   * Reports whether the benchmark decides which threads run handlers. Drift's default is its event
   * loops.
   */
  private boolean isVariant() {
    return id.contains(INLINE) || type.equals(HandlerThreads.POOL.id());
  }

  /** Reports whether it returns the received bytes without parsing them as Thrift. */
  boolean isPlainEcho() {
    return type.equals(FLOOR);
  }

  private static Contender server(ServerType type, String suffix, String module) {
    return new Contender(
        type.id() + suffix,
        module,
        SERVER_MAIN,
        type.id(),
        type == ServerType.DISRUPTOR ? Role.OURS : Role.PEER,
        hasPool(type),
        type == ServerType.SIMPLE ? 1 : Integer.MAX_VALUE);
  }

  private static Contender drift(String suffix, HandlerThreads threads) {
    return new Contender(
        "drift" + suffix, "drift", DRIFT_MAIN, threads.id(), Role.PEER, true, Integer.MAX_VALUE);
  }

  /** Reports whether a bounded pool runs its requests, if the builder gives it one. */
  private static boolean hasPool(ServerType type) {
    return type.model() == ServerType.Model.EVENT_LOOP && type != ServerType.NONBLOCKING;
  }

  private static Contender withoutPool(Contender of) {
    return new Contender(
        of.id, of.module, of.mainClass, of.type, of.role, false, of.maxConnections);
  }

  private Contender named(String name) {
    return new Contender(name, module, mainClass, type, role, pool, maxConnections);
  }

  /** Reports whether it can take part in a cell. */
  boolean fits(Cell cell) {
    return cell.connections() <= maxConnections
        && (role != Role.FLOOR || cell.handler().isAtOnce());
  }
}
