package dev.ringside.http;

import dev.ringside.contract.DiskTraffic;
import dev.ringside.contract.ProcessCounters;
import dev.ringside.store.HostedServer;
import dev.ringside.store.Management;
import dev.ringside.store.Metrics;
import dev.ringside.store.SettingsException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Runs all servers of a process over one store. Each has its own port and its own threads. */
final class HttpStore implements AutoCloseable {
  private final StoreSettings settings;
  private final EntityStore store;
  private final List<EntityServer> servers = new ArrayList<>();
  private final Metrics metrics = new Metrics();
  private final Management management;

  /**
   * Recovers the store's data, binds every port and starts to serve.
   *
   * @throws SettingsException if a port is in use
   * @throws IOException if the folder cannot be used
   */
  HttpStore(StoreSettings settings, Consumer<String> say) throws IOException {
    this.settings = settings;
    store = new EntityStore(settings.storage());
    try {
      for (Map.Entry<HostedServer, ServerOptions> each : settings.servers().entrySet()) {
        servers.add(
            new EntityServer(each.getKey(), settings.ports().address(), each.getValue(), store));
      }
      StoreMetrics.register(metrics, store, servers);
      management =
          new Management(
              settings.ports(), metrics, counted(say), Map::of, this::ills, this::silent, say);
    } catch (IOException | IllegalArgumentException e) {
      store.close();
      throw settings.ports().taken(settings.servers().keySet(), e);
    }
    servers.forEach(EntityServer::start);
  }

  /** Returns the process's resource counters and its disk traffic. */
  private static Supplier<Map<String, Long>> counted(Consumer<String> say) {
    ProcessCounters process = new ProcessCounters(say);
    return () -> {
      Map<String, Long> counters = process.get();
      counters.putAll(DiskTraffic.now());
      return counters;
    };
  }

  List<EntityServer> servers() {
    return servers;
  }

  /** Returns the store's permanent failures, for the liveness probe. */
  private List<String> ills() {
    IOException failure = store.failure();
    return failure == null ? List.of() : List.of("the store has failed: " + failure.getMessage());
  }

  private List<String> silent() {
    List<String> silent = new ArrayList<>(ills());
    for (EntityServer server : servers) {
      if (!EntityCheck.answers(settings.ports().address(), server.hosted().port())) {
        silent.add(server.hosted() + " does not answer");
      }
    }
    return silent;
  }

  @Override
  public void close() throws IOException {
    management.close();
    servers.forEach(EntityServer::stop);
    servers.forEach(server -> server.handOff().close());
    store.close();
  }
}
