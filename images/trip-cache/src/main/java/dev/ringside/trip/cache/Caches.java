package dev.ringside.trip.cache;

import dev.ringside.store.Folders;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Opens caches by the names of the chart's {@code server.types}. */
public final class Caches {
  /** A log-structured merge tree. */
  public static final String ROCKSDB = "rocksdb";

  /** A B+ tree in a mapped file. */
  public static final String LMDB = "lmdb";

  /** An in-memory grid with one member. The end of the process loses all values. */
  public static final String HAZELCAST = "hazelcast";

  /** A separate server, which must be running. */
  public static final String AEROSPIKE = "aerospike";

  /**
   * A map in the heap: the baseline without persistence. The end of the process loses all values.
   */
  public static final String HEAP = "heap";

  /** All types. */
  public static final List<String> TYPES = List.of(ROCKSDB, LMDB, HAZELCAST, AEROSPIKE, HEAP);

  private static final Set<String> SYNCED = Set.of(ROCKSDB, LMDB);

  /** Longest wait for Aerospike's server, which starts at the same time as the store. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private Caches() {}

  /** Reports whether a type keeps files in this process's folder that can be synced. */
  public static boolean syncs(String type) {
    return SYNCED.contains(type);
  }

  /**
   * Reports whether this process does the disk reads and writes of a type. Returns false for a
   * separate server.
   */
  public static boolean isWithin(String type) {
    return !type.equals(AEROSPIKE);
  }

  /**
   * Opens the cache of a type with its existing values. Blocks until these are loaded.
   *
   * @throws IOException if the folder cannot be used, or the server does not answer
   */
  public static Cache open(String type, CacheOptions options) throws IOException {
    Folders.create(options.folder());
    return switch (type) {
      case ROCKSDB -> new RocksCache(options);
      case LMDB -> new LmdbCache(options);
      case HAZELCAST -> new HazelcastCache(options.folder().getFileName().toString());
      case AEROSPIKE -> new AerospikeCache(options, PATIENCE);
      case HEAP -> new HeapCache();
      default -> throw new IllegalArgumentException("no cache is named '" + type + "'");
    };
  }
}
