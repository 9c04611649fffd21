package dev.ringside.bench.run;

import dev.ringside.bench.handler.HandlerThreads;
import dev.ringside.server.ServerType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A server in the race, and how its process is started.
 *
 * @param id name in tables
 * @param module folder whose class path it runs with
 * @param mainClass what its process runs
 * @param type first argument of the process
 * @param role what it is compared as
 * @param pool whether its requests run on as many threads as every pool has
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

  /** What a server is compared as. */
  enum Role {
    /** Somebody else's server. */
    PEER,
    /** Ours. */
    OURS,
    /** The reference under a second name: nobody's peer, for the best of two is better than one. */
    TWIN,
    /** The plain echo, which no server can undercut. */
    FLOOR
  }

  private static final String SERVER_MAIN = "dev.ringside.bench.server.ServerMain";
  private static final String NIFTY_MAIN = "dev.ringside.bench.nifty.NiftyMain";
  private static final String DRIFT_MAIN = "dev.ringside.bench.drift.DriftMain";
  private static final String FLOOR = "floor";
  private static final String HAND_OFF_MAIN = "dev.ringside.bench.handoff.HandOffMain";
  private static final String HAND_OFFS = "hand-offs";
  private static final String HAND_OFF = "hand-off-";
  private static final String NEWEST = "libthrift";
  private static final String OLD = "libthrift09";
  private static final String OLD_SUFFIX = "-09";
  private static final String BEFORE = "-before";
  private static final String INLINE = "-inline";
  private static final String AGAIN = "-again";

  /** The plain echo. */
  static Contender floor() {
    return new Contender(
        FLOOR,
        "driver",
        "dev.ringside.bench.floor.FloorMain",
        FLOOR,
        Role.FLOOR,
        false,
        Integer.MAX_VALUE);
  }

  /** Everybody, the floor first. */
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
   * Ours with one thing after the other between its event loops and its workers, its own first; of
   * the Disruptor's worker pool those wait strategies that leave some of two processors to others.
   * The last part of a name is what waiting workers do, where it is not to park.
   */
  private static List<Contender> handOffs() {
    List<Contender> all = new ArrayList<>();
    for (String type :
        List.of(
            "ring",
            "jctools",
            "transfer-queue",
            "disruptor",
            "disruptor/lite-blocking",
            "disruptor/sleeping")) {
      all.add(
          new Contender(
              HAND_OFF + type.replace('/', '-'),
              HAND_OFFS,
              HAND_OFF_MAIN,
              type,
              all.isEmpty() ? Role.OURS : Role.PEER,
              true,
              Integer.MAX_VALUE));
    }
    return all;
  }

  /**
   * Those of that comma list, or everybody if it is empty; {@code hand-offs} stands for all of
   * those, which take part only where they are asked for.
   *
   * @throws IllegalArgumentException with a line that lists the valid names
   */
  static List<Contender> of(List<String> ids) {
    List<Contender> handOffs = handOffs();
    List<Contender> all = new ArrayList<>(all());
    all.addAll(handOffs);
    for (String id : ids) {
      if (!id.equals(HAND_OFFS) && all.stream().noneMatch(contender -> contender.id.equals(id))) {
        throw new IllegalArgumentException(
            "unknown server '"
                + id
                + "': use some of "
                + all.stream().map(Contender::id).collect(Collectors.joining(", "))
                + ", or "
                + HAND_OFFS);
      }
    }
    if (ids.isEmpty()) {
      return all();
    }
    return all.stream()
        .filter(
            contender ->
                ids.contains(contender.id)
                    || ids.contains(HAND_OFFS) && handOffs.contains(contender))
        .toList();
  }

  /**
   * These, and ours among them once more as peers: as another build has them, whose name ends in
   * {@code -before}.
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
   * These, and the one of that name once more, from the same class path and under the same load:
   * what its two names differ by is noise.
   *
   * @throws IllegalArgumentException with one line if it takes no part
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

  /** Whether it answers with the bytes that came, and knows no Thrift. */
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

  /** Whether a bounded pool runs its requests, as far as its builder gives it one. */
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

  /** Whether it can take part in that cell. */
  boolean fits(Cell cell) {
    return cell.connections() <= maxConnections
        && (role != Role.FLOOR || cell.handler() == dev.ringside.bench.wire.Handler.AT_ONCE);
  }
}
