package dev.ringside.trip.cache;

import dev.ringside.store.Sync;
import java.nio.file.Path;

/** Creates options of small caches, which flush and merge during a test. */
public final class Folders {
  private static final long MIB = 1 << 20;
  private static final AerospikeAddress NOWHERE = new AerospikeAddress("127.0.0.1", 1, "trips");

  private Folders() {}

  /** Returns the options of a cache in a folder. */
  public static CacheOptions small(Path folder, Sync sync) {
    return new CacheOptions(
        folder, sync, true, MIB, MIB, Compression.LZ4, 2, 64 * MIB, true, NOWHERE);
  }

  /** Returns the same options without RocksDB's log. */
  public static CacheOptions withoutLog(Path folder) {
    return new CacheOptions(
        folder, Sync.NEVER, false, MIB, MIB, Compression.NONE, 1, 64 * MIB, true, NOWHERE);
  }

  /** Returns the same options with an Aerospike server. */
  static CacheOptions at(Path folder, AerospikeAddress server) {
    return new CacheOptions(
        folder, Sync.NEVER, true, MIB, MIB, Compression.NONE, 1, 64 * MIB, true, server);
  }
}
