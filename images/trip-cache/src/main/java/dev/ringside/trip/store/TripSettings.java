package dev.ringside.trip.store;

import dev.ringside.store.HostedServer;
import dev.ringside.store.ManagementPorts;
import dev.ringside.store.Settings;
import dev.ringside.trip.cache.Caches;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Holds the settings of the process from its environment.
 *
 * @param servers RINGSIDE_SERVERS: {@code server:port} of each server, with its options; each
 *     stores its trips in a folder of its name in RINGSIDE_DATA
 * @param ports the ports for management
 * @param brokers RINGSIDE_KAFKA_BROKERS, {@code host:port,...}: each server also reads points from
 *     the topic of its name; empty without Kafka
 */
record TripSettings(
    Map<HostedServer, ServerOptions> servers, ManagementPorts ports, String brokers) {
  private static final int PUBLISHED_PORT = 8099;

  /**
   * Reads the environment.
   *
   * @throws dev.ringside.store.SettingsException with one line that lists all errors
   */
  static TripSettings of(UnaryOperator<String> environment) {
    Settings in = new Settings(environment);
    TripSettings settings =
        new TripSettings(
            servers(in), ManagementPorts.of(in), in.text("RINGSIDE_KAFKA_BROKERS", ""));
    in.check();
    return settings;
  }

  private static Map<HostedServer, ServerOptions> servers(Settings in) {
    Path data = Path.of(in.text("RINGSIDE_DATA", "data"));
    Map<HostedServer, ServerOptions> servers = new LinkedHashMap<>();
    in.servers("RINGSIDE_SERVERS", Caches.ROCKSDB + ":" + PUBLISHED_PORT, Caches.TYPES)
        .forEach(server -> servers.put(server, ServerOptions.of(in, server, data)));
    return servers;
  }
}
