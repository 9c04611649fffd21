package dev.ringside.trip.store;

import dev.ringside.contract.DiskTraffic;
import dev.ringside.store.Metrics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** Registers the servers' metrics for Prometheus. */
final class TripMetrics {
  private TripMetrics() {}

  static void register(Metrics metrics, List<TripServer> servers) {
    metrics
        .gauge(
            "ringside_trip_queue_length",
            "Points that wait for the cache, or are on their way into it.",
            each(servers, server -> server.lanes().waiting()))
        .gauge(
            "ringside_trip_pool_queue_length",
            "Tasks that wait for a thread of the fork-join pool.",
            each(servers, server -> server.lanes().waitingLanes()))
        .gauge(
            "ringside_trip_connections",
            "Open connections.",
            each(servers, TripServer::connections))
        .counter(
            "ringside_trip_points_received_total",
            "Points received.",
            each(servers, server -> server.lanes().taken()))
        .counter(
            "ringside_trip_points_total",
            "Points that left the queue.",
            each(servers, server -> server.lanes().done()))
        .counter(
            "ringside_trip_begun_total",
            "Trips that began.",
            each(servers, server -> server.builder().begun()))
        .counter(
            "ringside_trip_ended_total",
            "Trips that ended.",
            each(servers, server -> server.builder().ended()))
        .counter(
            "ringside_trip_repeated_points_total",
            "Points that the trip already had.",
            each(servers, server -> server.builder().again()))
        .counter(
            "ringside_trip_gaps_total",
            "Points whose trip lacked the points before them.",
            each(servers, server -> server.builder().gaps()))
        .counter(
            "ringside_trip_put_bytes_total",
            "Keys and values that were put into the cache.",
            each(servers, server -> server.builder().putBytes()))
        .counter(
            "ringside_trip_got_bytes_total",
            "Keys and values that lookups found in the cache.",
            each(servers, server -> server.builder().gotBytes()))
        .gauge(
            "ringside_trip_opened_millis",
            "Time to open the cache and read what it holds.",
            each(servers, TripServer::openedMillis))
        .gauge(
            "ringside_trip_cache_entries",
            "Trips in the cache; an estimate where counting takes long.",
            each(servers, server -> server.cache().sizes().entries()))
        .gauge(
            "ringside_trip_cache_disk_bytes",
            "Size of the cache's files.",
            each(servers, server -> server.cache().sizes().diskBytes()))
        .gauge(
            "ringside_trip_cache_memory_bytes",
            "Memory that the cache allocates itself.",
            each(servers, server -> server.cache().sizes().memoryBytes()))
        .counter(
            "ringside_trip_disk_read_bytes_total",
            "Bytes that the process read from disk.",
            () -> DiskTraffic.now().getOrDefault("read_bytes", 0L))
        .counter(
            "ringside_trip_disk_written_bytes_total",
            "Bytes that the process wrote to disk.",
            () -> DiskTraffic.now().getOrDefault("written_bytes", 0L));
    registerOwn(metrics, servers);
  }

  /** Registers the counters of the caches themselves, which depend on their types. */
  private static void registerOwn(Metrics metrics, List<TripServer> servers) {
    TreeSet<String> names = new TreeSet<>();
    servers.forEach(server -> names.addAll(server.cache().counted().keySet()));
    for (String name : names) {
      metrics.counter(
          "ringside_trip_cache_" + name + "_total",
          "Counter of the cache itself.",
          each(
              servers,
              server -> server.cache().counted().containsKey(name),
              server -> server.cache().counted().get(name)));
    }
  }

  /** Returns a figure of each server, by the server's name. */
  static Map<String, Supplier<Long>> each(
      List<TripServer> servers, ToLongFunction<TripServer> figure) {
    return each(servers, server -> true, figure);
  }

  private static Map<String, Supplier<Long>> each(
      List<TripServer> servers, Predicate<TripServer> which, ToLongFunction<TripServer> figure) {
    Map<String, Supplier<Long>> figures = new LinkedHashMap<>();
    servers.stream()
        .filter(which)
        .forEach(server -> figures.put(server.hosted().name(), () -> figure.applyAsLong(server)));
    return figures;
  }
}
