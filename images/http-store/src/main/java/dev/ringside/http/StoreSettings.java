package dev.ringside.http;

import dev.ringside.http.handoff.HandOffs;
import dev.ringside.http.handoff.VirtualHandOff;
import dev.ringside.store.HostedServer;
import dev.ringside.store.ManagementPorts;
import dev.ringside.store.Settings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Holds the settings of the process from its environment.
 *
 * @param servers RINGSIDE_SERVERS: {@code server:port} of each server, with its options
 * @param storage how the store keeps its data
 * @param ports the ports for management
 */
record StoreSettings(
    Map<HostedServer, ServerOptions> servers, StorageOptions storage, ManagementPorts ports) {
  /**
   * Reads the environment.
   *
   * @throws dev.ringside.store.SettingsException with one line that lists all errors
   */
  static StoreSettings of(UnaryOperator<String> environment) {
    Settings in = new Settings(environment);
    StoreSettings settings =
        new StoreSettings(servers(in), StorageOptions.of(in), ManagementPorts.of(in));
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
}
