package dev.ringside.trip.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.store.HostedServer;
import dev.ringside.store.SettingsException;
import dev.ringside.store.Sync;
import dev.ringside.trip.cache.Compression;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TripSettingsTest {
  @Test
  void shouldServeRocksdbOnThePublishedPortWhenItIsToldNothing() {
    TripSettings settings = TripSettings.of(name -> null);
    HostedServer server = new HostedServer("rocksdb", 8099);
    assertEquals(Set.of(server), settings.servers().keySet());
    ServerOptions options = settings.servers().get(server);
    assertEquals(Path.of("data", "rocksdb"), options.cache().folder());
    assertEquals(Sync.INTERVAL, options.cache().sync());
    assertTrue(options.cache().wal());
  }

  @Test
  void shouldTakeAnOptionForAllServersOrForOne() {
    Map<String, String> environment =
        Map.of(
            "RINGSIDE_SERVERS", "rocksdb:1,rocksdb-bare:2,lmdb:3,heap:4",
            "RINGSIDE_SYNC", "always",
            "RINGSIDE_WORKERS", "8",
            "RINGSIDE_MEMTABLE_MIB", "16",
            "RINGSIDE_ROCKSDB_BARE_WAL", "false",
            "RINGSIDE_ROCKSDB_BARE_SYNC", "never",
            "RINGSIDE_ROCKSDB_BARE_COMPRESSION", "zstd");
    Map<HostedServer, ServerOptions> servers = TripSettings.of(environment::get).servers();
    ServerOptions bare = servers.get(new HostedServer("rocksdb-bare", "rocksdb", 2));
    assertFalse(bare.cache().wal());
    assertEquals(Sync.NEVER, bare.cache().sync());
    assertEquals(Compression.ZSTD, bare.cache().compression());
    assertEquals(16 << 20, bare.cache().memtableBytes());
    assertEquals(8, bare.workers());
    ServerOptions plain = servers.get(new HostedServer("rocksdb", 1));
    assertTrue(plain.cache().wal());
    assertEquals(Sync.ALWAYS, plain.cache().sync());
    assertFalse(plain.cache().folder().equals(bare.cache().folder()));
  }

  @Test
  void shouldDescribeWhatConcernsAServer() {
    ServerOptions options = TripSettings.of(name -> null).servers().values().iterator().next();
    assertEquals(Set.of("workers"), options.described("heap").keySet());
    assertEquals(Set.of("workers"), options.described("hazelcast").keySet());
    assertEquals(
        Set.of("workers", "sync", "sync_ms", "map_bytes", "read_ahead"),
        options.described("lmdb").keySet());
    assertEquals("lz4", options.described("rocksdb").get("compression"));
    assertEquals(
        Set.of("workers", "aerospike", "aerospike_namespace"),
        options.described("aerospike").keySet());
  }

  @Test
  void shouldRefuseToPromiseWhatAerospikeCannotBeAsked() {
    Map<String, String> environment =
        Map.of("RINGSIDE_SERVERS", "aerospike:1", "RINGSIDE_SYNC", "always");
    SettingsException refused =
        assertThrows(SettingsException.class, () -> TripSettings.of(environment::get));
    assertTrue(
        refused.getMessage().contains("RINGSIDE_SYNC is always for aerospike"),
        refused::getMessage);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "RINGSIDE_SERVERS | mongo:1 | no server is named 'mongo': it is one of rocksdb, lmdb, hazelcast, aerospike, heap",
        "RINGSIDE_SYNC | sometimes | RINGSIDE_SYNC is 'sometimes': it is one of always, interval, never",
        "RINGSIDE_WORKERS | 0 | RINGSIDE_WORKERS is '0': give a whole number from 1 to 1024",
        "RINGSIDE_WAL | false | RINGSIDE_WAL is false for rocksdb, which leaves nothing to sync: set RINGSIDE_SYNC to never",
        "RINGSIDE_COMPRESSION | rar | RINGSIDE_COMPRESSION is 'rar': it is one of none, lz4, zstd",
        "RINGSIDE_MAP_MIB | 1.5 | RINGSIDE_MAP_MIB is '1.5': give a whole number from 1 to 1048576",
      })
  void shouldRefuseWhatMakesNoSense(String name, String value, String says) {
    Map<String, String> environment = Map.of(name, value);
    SettingsException refused =
        assertThrows(SettingsException.class, () -> TripSettings.of(environment::get));
    assertTrue(refused.getMessage().contains(says), refused::getMessage);
  }
}
