package dev.ringside.trip.cache;

import dev.ringside.store.Sync;
import java.nio.file.Path;

/**
 * How a cache keeps its values. Each takes what concerns it.
 *
 * @param folder of its own; made where it is missing
 * @param sync when what was put is made to survive the machine
 * @param wal whether RocksDB logs each put before it is in its table in memory
 * @param blockCacheBytes of RocksDB's cache of uncompressed blocks
 * @param memtableBytes of a table in memory of RocksDB's
 * @param compression of RocksDB's tables on disk
 * @param parallelism threads that RocksDB flushes and compacts on
 * @param mapBytes the most that LMDB's file may grow to
 * @param readAhead whether the kernel reads on in LMDB's file behind what is asked for
 * @param aerospike where Aerospike's server is
 */
public record CacheOptions(
    Path folder,
    Sync sync,
    boolean wal,
    long blockCacheBytes,
    long memtableBytes,
    Compression compression,
    int parallelism,
    long mapBytes,
    boolean readAhead,
    AerospikeAddress aerospike) {}
