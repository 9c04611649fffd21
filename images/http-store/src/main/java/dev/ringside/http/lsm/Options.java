package dev.ringside.http.lsm;

import dev.ringside.store.Sync;
import java.nio.file.Path;

/**
 * Holds the options of a store.
 *
 * @param folder the store's own folder; created if it does not exist
 * @param flushBytes size of the table in memory, or of its log, at which it is flushed
 * @param bloom whether new tables have a Bloom filter
 * @param compaction whether tables are merged once there are {@code compactFrom} of them
 * @param compactFrom at least 2
 * @param sync when the log is synced
 * @param syncMillis interval of {@link Sync#INTERVAL} in milliseconds
 */
public record Options(
    Path folder,
    long flushBytes,
    boolean bloom,
    boolean compaction,
    int compactFrom,
    Sync sync,
    int syncMillis) {}
