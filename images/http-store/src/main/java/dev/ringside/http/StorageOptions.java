package dev.ringside.http;

import dev.ringside.store.Settings;
import dev.ringside.store.Sync;
import java.nio.file.Path;

/**
 * Holds how the store keeps its data.
 *
 * @param folder RINGSIDE_DATA (data): the store's own folder; created if it does not exist
 * @param memtableMiB RINGSIDE_MEMTABLE_MIB (16): size at which a table in memory is flushed
 * @param blockCacheMiB RINGSIDE_BLOCK_CACHE_MIB (256): size of the cache of blocks of tables
 * @param bloom RINGSIDE_BLOOM (false): whether new tables have a Bloom filter
 * @param compaction RINGSIDE_COMPACTION (true): whether tables are merged
 * @param sync RINGSIDE_SYNC (interval): when the log is synced to the disk
 * @param syncMillis RINGSIDE_SYNC_MS (100): milliseconds between two syncs of {@link Sync#INTERVAL}
 */
record StorageOptions(
    Path folder,
    int memtableMiB,
    int blockCacheMiB,
    boolean bloom,
    boolean compaction,
    Sync sync,
    int syncMillis) {
  static StorageOptions of(Settings in) {
    return new StorageOptions(
        Path.of(in.text("RINGSIDE_DATA", "data")),
        in.number("RINGSIDE_MEMTABLE_MIB", 1, 1024, 16),
        in.number("RINGSIDE_BLOCK_CACHE_MIB", 1, 1 << 20, 256),
        in.flag("RINGSIDE_BLOOM", false),
        in.flag("RINGSIDE_COMPACTION", true),
        Sync.of(in.oneOf("RINGSIDE_SYNC", Sync.INTERVAL.id(), Sync.ids())),
        in.number("RINGSIDE_SYNC_MS", 1, 60_000, 100));
  }
}
