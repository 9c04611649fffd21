package dev.ringside.http.lsm;

import dev.ringside.store.Sync;
import java.nio.file.Path;

/**
 * How a store is kept.
 *
 * @param folder its own, made where it is not there
 * @param flushBytes size of the table in memory, or of its log, at which it is flushed
 * @param bloom whether tables that are written from now on have a Bloom filter
 * @param compaction whether tables are merged once there are {@code compactFrom} of them
 * @param compactFrom at least 2
 * @param sync when the log is synced
 * @param syncMillis how often, with {@link Sync#INTERVAL}
 */
public record Options(
    Path folder,
    long flushBytes,
    boolean bloom,
    boolean compaction,
    int compactFrom,
    Sync sync,
    int syncMillis) {}
