package dev.ringside.trip.cache;

import dev.ringside.store.Sync;
import java.nio.file.Path;

/**
 * Holds the options of all types of cache. Each type uses those that apply to it.
 *
 * @param folder the cache's own folder; created if it does not exist
 * @param sync when puts are synced to the disk
 * @param wal whether RocksDB logs each put before its table in memory has it
 * @param blockCacheBytes size of RocksDB's cache of uncompressed blocks
 * @param memtableBytes size of a table in RocksDB's memory
 * @param compression of RocksDB's tables on disk
 * @param parallelism RocksDB's threads for flushes and compactions
 * @param mapBytes largest size of LMDB's file
 * @param readAhead whether the kernel reads ahead in LMDB's file
 * @param aerospike address of the Aerospike server
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
