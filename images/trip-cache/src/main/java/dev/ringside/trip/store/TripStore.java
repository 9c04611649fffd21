package dev.ringside.trip.store;

import dev.ringside.contract.DiskTraffic;
import dev.ringside.contract.ProcessCounters;
import dev.ringside.store.HostedServer;
import dev.ringside.store.Management;
import dev.ringside.store.Metrics;
import dev.ringside.store.SettingsException;
import dev.ringside.trip.cache.Caches;
import java.io.Closeable;
import java.io.IOException;
import java.net.BindException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

/** Runs all servers of a process. Each has its own cache and its own port. */
public final class TripStore implements Closeable {
  private final TripSettings settings;
  private final List<TripServer> servers = new ArrayList<>();
  private final Metrics metrics = new Metrics();
  private Management management;

  /**
   * Opens the caches, binds every port and starts to serve.
   *
   * @throws SettingsException if a port is in use
   * @throws IOException if a folder cannot be used
   */
  TripStore(TripSettings settings, Consumer<String> say) throws IOException {
    this.settings = settings;
    try {
      for (Map.Entry<HostedServer, ServerOptions> each : settings.servers().entrySet()) {
        servers.add(
            new TripServer(each.getKey(), settings.ports().address(), each.getValue(), say));
      }
      if (!settings.brokers().isEmpty()) {
        for (TripServer server : servers) {
          server.feedFrom(settings.brokers());
        }
      }
      TripMetrics.register(metrics, servers);
      FeedMetrics.register(metrics, servers);
      management =
          new Management(
              settings.ports(),
              metrics,
              counted(servers, say),
              () -> StoreSizes.of(servers),
              this::ills,
              this::silent,
              say);
    } catch (BindException | IllegalArgumentException e) {
      close();
      throw settings.ports().taken(settings.servers().keySet(), e);
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /**
   * Creates the store from an environment.
   *
   * @param say receives lines for the log
   */
  public static TripStore of(UnaryOperator<String> environment, Consumer<String> say)
      throws IOException {
    return new TripStore(TripSettings.of(environment), say);
  }

  /** Returns the process's resource counters, its disk traffic, and points received and stored. */
  private static Supplier<Map<String, Long>> counted(
      List<TripServer> servers, Consumer<String> say) {
    ProcessCounters process = new ProcessCounters(say);
    return () -> {
      Map<String, Long> counters = process.get();
      if (servers.stream().allMatch(server -> Caches.isWithin(server.hosted().type()))) {
        counters.putAll(DiskTraffic.now());
      }
      // Points done are read first, so that the computed queue length is never too small.
      counters.put("points", sum(servers, server -> server.lanes().done()));
      counters.put("points_received", sum(servers, TripServer::arrived));
      counters.put("put_bytes", sum(servers, server -> server.builder().putBytes()));
      counters.put("got_bytes", sum(servers, server -> server.builder().gotBytes()));
      return counters;
    };
  }

  private static long sum(List<TripServer> servers, ToLongFunction<TripServer> figure) {
    return servers.stream().mapToLong(figure).sum();
  }

  /** Returns the address on which all servers listen. */
  String address() {
    return settings.ports().address();
  }

  List<TripServer> servers() {
    return servers;
  }

  /** Returns the servers' permanent failures, for the liveness probe. */
  private List<String> ills() {
    List<String> ills = new ArrayList<>();
    for (TripServer server : servers) {
      if (server.failure() != null) {
        ills.add(server.hosted() + " has failed: " + server.failure());
      }
    }
    return ills;
  }

  private List<String> silent() {
    List<String> silent = new ArrayList<>(ills());
    for (TripServer server : servers) {
      if (!StreamCheck.answers(settings.ports().address(), server.hosted().port())) {
        silent.add(server.hosted() + " does not answer");
      }
    }
    return silent;
  }

  @Override
  public void close() throws IOException {
    // Management first, because it reads the caches' figures.
    if (management != null) {
      management.close();
    }
    for (TripServer server : servers) {
      server.close();
    }
  }
}
