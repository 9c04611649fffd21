package dev.ringside.http;

import dev.ringside.store.Metrics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.rocksdb.TickerType;

/** Registers the metrics of the store and its servers for Prometheus. */
final class StoreMetrics {
  private static final Map<String, TickerType> COUNTERS =
      new TreeMap<>(
          Map.of(
              "log_syncs", TickerType.WAL_FILE_SYNCED,
              "log_written_bytes", TickerType.WAL_FILE_BYTES,
              "flush_written_bytes", TickerType.FLUSH_WRITE_BYTES,
              "compaction_written_bytes", TickerType.COMPACT_WRITE_BYTES,
              "filtered", TickerType.BLOOM_FILTER_USEFUL,
              "block_cache_hits", TickerType.BLOCK_CACHE_HIT,
              "block_cache_misses", TickerType.BLOCK_CACHE_MISS));

  private StoreMetrics() {}

  static void register(Metrics metrics, EntityStore store, List<EntityServer> servers) {
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
        .gauge(
            "ringside_rocksdb_level0_tables",
            "Tables on disk that are not merged yet; a missing key is looked up in all of them.",
            () -> store.property("rocksdb.num-files-at-level0"))
        .gauge(
            "ringside_rocksdb_table_bytes",
            "Size of the tables on disk.",
            () -> store.property("rocksdb.total-sst-files-size"))
        .gauge(
            "ringside_rocksdb_memory_bytes",
            "Memory of RocksDB: tables in memory, cached blocks, and indexes of tables on disk.",
            () ->
                store.property("rocksdb.cur-size-all-mem-tables")
                    + store.property("rocksdb.block-cache-usage")
                    + store.property("rocksdb.estimate-table-readers-mem"))
        .counter(
            "ringside_rocksdb_busy_total",
            "Writes rejected because a flush had not finished.",
            store::busy);
    COUNTERS.forEach(
        (name, of) ->
            metrics.counter(
                "ringside_rocksdb_" + name + "_total",
                "Counter of RocksDB itself.",
                () -> store.counted(of)));
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
