package dev.ringside.http;

import dev.ringside.http.lsm.Lsm;
import dev.ringside.store.Metrics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** Registers the metrics of the store and its servers for Prometheus. */
final class StoreMetrics {
  private StoreMetrics() {}

  static void register(Metrics metrics, Lsm store, List<EntityServer> servers) {
    metrics
        .gauge(
            "ringside_http_queue_length",
            "Requests that wait for a worker.",
            each(servers, server -> server.handOff().waiting()))
        .counter(
            "ringside_http_requests_total",
            "Requests that were read.",
            each(servers, EntityServer::requests))
        .counter(
            "ringside_http_refused_total",
            "Requests rejected because the queue was full.",
            each(servers, EntityServer::refused))
        .gauge("ringside_lsm_tables", "Sorted tables on disk.", () -> store.status().tables())
        .gauge(
            "ringside_lsm_table_bytes",
            "Size of the sorted tables on disk.",
            () -> store.status().tableBytes())
        .gauge(
            "ringside_lsm_memory_bytes",
            "Bytes that are only in memory and in the log.",
            () -> store.status().memoryBytes())
        .counter(
            "ringside_lsm_flushes_total",
            "Tables flushed from memory to disk.",
            () -> store.status().flushes())
        .counter(
            "ringside_lsm_compactions_total",
            "Merges of tables.",
            () -> store.status().compactions())
        .counter("ringside_lsm_syncs_total", "Syncs of logs.", () -> store.status().syncs())
        .counter(
            "ringside_lsm_busy_total",
            "Writes rejected because a flush had not finished.",
            () -> store.status().busy())
        .counter(
            "ringside_lsm_filtered_total",
            "Table lookups that a Bloom filter avoided.",
            () -> store.status().filtered())
        .counter(
            "ringside_lsm_log_written_bytes_total",
            "Bytes that were appended to logs.",
            () -> store.status().logBytesWritten())
        .counter(
            "ringside_lsm_table_written_bytes_total",
            "Bytes of tables that were flushed or merged.",
            () -> store.status().tableBytesWritten());
  }

  private static Map<String, Supplier<Long>> each(
      List<EntityServer> servers, ToLongFunction<EntityServer> figure) {
    Map<String, Supplier<Long>> figures = new LinkedHashMap<>();
    for (EntityServer server : servers) {
      figures.put(server.hosted().name(), () -> figure.applyAsLong(server));
    }
    return figures;
  }
}
