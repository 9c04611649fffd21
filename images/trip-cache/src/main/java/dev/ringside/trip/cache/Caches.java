package dev.ringside.trip.cache;

import dev.ringside.store.Folders;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** The caches, by the names of the chart's {@code server.types}. */
public final class Caches {
  /** A log-structured merge tree. */
  public static final String ROCKSDB = "rocksdb";

  /** A B+ tree in a mapped file. */
  public static final String LMDB = "lmdb";

  /** An in-memory grid of one member, which nothing survives. */
  public static final String HAZELCAST = "hazelcast";

  /** A server of its own; only where there is one. */
  public static final String AEROSPIKE = "aerospike";

  /** A map in the heap, which nothing survives: the floor. */
  public static final String HEAP = "heap";

  /** All of them. */
  public static final List<String> TYPES = List.of(ROCKSDB, LMDB, HAZELCAST, AEROSPIKE, HEAP);

  private static final Set<String> SYNCED = Set.of(ROCKSDB, LMDB);

  /** For Aerospike's server, which is started beside the store. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private Caches() {}

  /** Whether a type's caches have files of their own here, which are synced when they are told. */
  public static boolean syncs(String type) {
    return SYNCED.contains(type);
  }

  /**
   * Whether what a type's caches read and write is read and written by this process: not if a
   * server of their own does it.
   */
  public static boolean isWithin(String type) {
    return !type.equals(AEROSPIKE);
  }

  /**
   * Opens the cache of a type, with what it held when it was closed or its process ended. Takes as
   * long as it takes to find that.
   *
   * @throws IOException if the folder cannot be used, or the server is not there
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
