package dev.ringside.http;

import dev.ringside.http.handoff.HandOffs;
import dev.ringside.http.handoff.VirtualHandOff;
import dev.ringside.http.lsm.Options;
import dev.ringside.store.HostedServer;
import dev.ringside.store.ManagementPorts;
import dev.ringside.store.Settings;
import dev.ringside.store.Sync;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Holds the settings of the process from its environment.
 *
 * @param servers RINGSIDE_SERVERS: {@code server:port} of each server, with its options
 * @param storage RINGSIDE_DATA, RINGSIDE_FLUSH_MIB (16), RINGSIDE_BLOOM (false),
 *     RINGSIDE_COMPACTION (true), RINGSIDE_COMPACT_FROM (8), RINGSIDE_SYNC (interval),
 *     RINGSIDE_SYNC_MS (100)
 * @param ports the ports for management
 */
record StoreSettings(
    Map<HostedServer, ServerOptions> servers, Options storage, ManagementPorts ports) {
  private static final int MIB = 1 << 20;

  /** A store has at most two tables in memory; the rest of the heap is for requests. */
  private static final int HEAP_PER_TABLE = 4;

  /**
   * Reads the environment.
   *
   * @throws dev.ringside.store.SettingsException with one line that lists all errors
   */
  static StoreSettings of(UnaryOperator<String> environment) {
    Settings in = new Settings(environment);
    StoreSettings settings = new StoreSettings(servers(in), storage(in), ManagementPorts.of(in));
    in.check();
    return settings;
  }

  private static Map<HostedServer, ServerOptions> servers(Settings in) {
    List<HostedServer> hosted =
        in.servers("RINGSIDE_SERVERS", HandOffs.ARRAY_QUEUE + ":8080", HandOffs.TYPES);
    boolean virtual = hosted.stream().anyMatch(each -> each.type().equals(HandOffs.VIRTUAL));
    if (virtual && !VirtualHandOff.possible()) {
      in.refuse(
          "RINGSIDE_SERVERS names virtual, and this Java "
              + Runtime.version().feature()
              + " has no virtual threads: take an image with a Java 21 or newer, or leave virtual out");
    }
    Map<HostedServer, ServerOptions> servers = new LinkedHashMap<>();
    hosted.forEach(server -> servers.put(server, ServerOptions.of(in, server)));
    return servers;
  }

  private static Options storage(Settings in) {
    int flushMiB = in.number("RINGSIDE_FLUSH_MIB", 1, 1024, 16);
    long heap = Runtime.getRuntime().maxMemory();
    if ((long) flushMiB * MIB * HEAP_PER_TABLE > heap) {
      in.refuse(
          String.format(
              "RINGSIDE_FLUSH_MIB is %d, too much for a heap of %d MiB: flush at a quarter of it at"
                  + " most, or give it a larger one",
              flushMiB, heap / MIB));
    }
    return new Options(
        Path.of(in.text("RINGSIDE_DATA", "data")),
        (long) flushMiB * MIB,
        in.flag("RINGSIDE_BLOOM", false),
        in.flag("RINGSIDE_COMPACTION", true),
        in.number("RINGSIDE_COMPACT_FROM", 2, 1000, 8),
        Sync.of(in.oneOf("RINGSIDE_SYNC", Sync.INTERVAL.id(), Sync.ids())),
        in.number("RINGSIDE_SYNC_MS", 1, 60_000, 100));
  }
}
