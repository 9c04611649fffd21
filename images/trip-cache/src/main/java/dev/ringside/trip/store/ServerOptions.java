package dev.ringside.trip.store;

import dev.ringside.store.HostedServer;
import dev.ringside.store.Settings;
import dev.ringside.store.Sync;
import dev.ringside.trip.cache.AerospikeAddress;
import dev.ringside.trip.cache.CacheOptions;
import dev.ringside.trip.cache.Caches;
import dev.ringside.trip.cache.Compression;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Holds the options of a server and its cache. Each value comes from {@code RINGSIDE_<SERVER>_...},
 * or for all servers from {@code RINGSIDE_...}.
 *
 * @param workers WORKERS (2): threads that store points in the cache
 * @param syncMillis SYNC_MS (100): milliseconds between two syncs, if SYNC is interval
 * @param cache SYNC (interval), WAL (true), BLOCK_CACHE_MIB (64), MEMTABLE_MIB (64), COMPRESSION
 *     (lz4), PARALLELISM (2), MAP_MIB (8192), READ_AHEAD (true); for all servers AEROSPIKE_HOST
 *     (127.0.0.1), _PORT (3000) and _NAMESPACE (trips)
 */
record ServerOptions(int workers, int syncMillis, CacheOptions cache) {
  private static final long MIB = 1 << 20;
  private static final int MAX_MIB = 1 << 20;

  static ServerOptions of(Settings in, HostedServer server, Path data) {
    Sync sync = Sync.of(in.oneOf(in.variable(server, "SYNC"), Sync.INTERVAL.id(), Sync.ids()));
    boolean wal = in.flag(in.variable(server, "WAL"), true);
    if (server.type().equals(Caches.ROCKSDB) && !wal && sync != Sync.NEVER) {
      in.refuse(
          String.format(
              "%s is false for %s, which leaves nothing to sync: set %s to never",
              in.variable(server, "WAL"), server.name(), in.variable(server, "SYNC")));
    }
    if (server.type().equals(Caches.AEROSPIKE) && sync == Sync.ALWAYS) {
      in.refuse(
          String.format(
              "%s is always for %s, and nobody can ask Aerospike for a sync: set it to never",
              in.variable(server, "SYNC"), server.name()));
    }
    return new ServerOptions(
        in.number(in.variable(server, "WORKERS"), 1, 1024, 2),
        in.number(in.variable(server, "SYNC_MS"), 1, 60_000, 100),
        new CacheOptions(
            data.resolve(server.name()),
            sync,
            wal,
            MIB * in.number(in.variable(server, "BLOCK_CACHE_MIB"), 1, MAX_MIB, 64),
            MIB * in.number(in.variable(server, "MEMTABLE_MIB"), 1, 4096, 64),
            Compression.of(
                in.oneOf(
                    in.variable(server, "COMPRESSION"), Compression.LZ4.id(), Compression.ids())),
            in.number(in.variable(server, "PARALLELISM"), 1, 64, 2),
            MIB * in.number(in.variable(server, "MAP_MIB"), 1, MAX_MIB, 8192),
            in.flag(in.variable(server, "READ_AHEAD"), true),
            new AerospikeAddress(
                in.text("RINGSIDE_AEROSPIKE_HOST", "127.0.0.1"),
                in.port("RINGSIDE_AEROSPIKE_PORT", 3000),
                in.text("RINGSIDE_AEROSPIKE_NAMESPACE", "trips"))));
  }

  /** Returns the options that apply to a server type, for the proof. */
  Map<String, Object> described(String type) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("workers", workers);
    if (Caches.syncs(type)) {
      all.put("sync", cache.sync().id());
      all.put("sync_ms", syncMillis);
    }
    if (type.equals(Caches.ROCKSDB)) {
      all.put("wal", cache.wal());
      all.put("block_cache_bytes", cache.blockCacheBytes());
      all.put("memtable_bytes", cache.memtableBytes());
      all.put("compression", cache.compression().id());
      all.put("parallelism", cache.parallelism());
    }
    if (type.equals(Caches.LMDB)) {
      all.put("map_bytes", cache.mapBytes());
      all.put("read_ahead", cache.readAhead());
    }
    if (type.equals(Caches.AEROSPIKE)) {
      all.put("aerospike", cache.aerospike().toString());
      all.put("aerospike_namespace", cache.aerospike().namespace());
    }
    return all;
  }
}
