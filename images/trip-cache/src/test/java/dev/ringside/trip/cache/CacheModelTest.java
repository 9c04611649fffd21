package dev.ringside.trip.cache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.store.Sync;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every cache behaves like a map, also after it is closed and reopened. */
class CacheModelTest {
  private static final int STEPS = 6_000;
  private static final int KEYS = 700;
  @TempDir Path folder;
  private final Map<Long, byte[]> model = new HashMap<>();

  @ParameterizedTest
  @CsvSource({
    "heap, never",
    "hazelcast, never",
    "rocksdb, never",
    "rocksdb, interval",
    "rocksdb, always",
    "lmdb, never",
    "lmdb, interval",
    "lmdb, always"
  })
  void shouldDoWhatAMapDoes(String type, String sync) throws IOException {
    CacheOptions options = Folders.small(folder.resolve(type), Sync.of(sync));
    // LMDB syncs the disk for each put, so there are fewer steps.
    int steps = type.equals(Caches.LMDB) && sync.equals("always") ? STEPS / 20 : STEPS;
    SplittableRandom random = new SplittableRandom(7);
    Cache cache = Caches.open(type, options);
    for (int step = 0; step < steps; step++) {
      long key = key(random);
      switch (random.nextInt(100)) {
        case 0 -> cache.flush();
        case 1 -> {
          if (Caches.syncs(type) && random.nextInt(10) == 0) {
            cache.close();
            cache = Caches.open(type, options);
          }
        }
        default -> {
          if (random.nextBoolean()) {
            byte[] value = value(random);
            model.put(key, value.clone());
            cache.put(key, value);
          } else {
            assertSame(cache, key);
          }
        }
      }
    }
    for (long key : model.keySet()) {
      assertSame(cache, key);
    }
    assertEquals(model.size(), cache.sizes().entries(), model.size() * 20.0, "an estimate");
    cache.close();
  }

  private void assertSame(Cache cache, long key) throws IOException {
    byte[] right = model.get(key);
    if (right == null) {
      assertNull(cache.get(key));
    } else {
      assertArrayEquals(right, cache.get(key), () -> "key " + key);
    }
  }

  /** Returns keys of both signs, some of them adjacent. */
  private static long key(SplittableRandom random) {
    long number = random.nextInt(KEYS) - KEYS / 2;
    return number % 2 == 0 ? number : number * 0x9e3779b97f4a7c15L;
  }

  private static byte[] value(SplittableRandom random) {
    byte[] value = new byte[1 + random.nextInt(2_000)];
    random.nextBytes(value);
    return value;
  }

  @ParameterizedTest
  @ValueSource(strings = {Caches.HEAP, Caches.HAZELCAST, Caches.ROCKSDB, Caches.LMDB})
  void shouldGiveOutArraysThatAreTheCallersOwn(String type) throws IOException {
    try (Cache cache = Caches.open(type, Folders.small(folder.resolve(type), Sync.NEVER))) {
      cache.put(1, new byte[] {1, 2, 3});
      cache.get(1)[0] = 9;
      assertArrayEquals(new byte[] {1, 2, 3}, cache.get(1));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {Caches.ROCKSDB, Caches.LMDB})
  void shouldKeepWhatItHeldWhenItIsOpenedAgain(String type) throws IOException {
    CacheOptions options = Folders.small(folder.resolve(type), Sync.NEVER);
    try (Cache cache = Caches.open(type, options)) {
      for (long key = 0; key < 3_000; key++) {
        cache.put(key, new byte[1_000]);
      }
      assertTrue(cache.sizes().diskBytes() > 0, "something was flushed");
    }
    try (Cache cache = Caches.open(type, options)) {
      assertEquals(3_000, cache.sizes().entries(), 1_500);
      for (long key = 0; key < 3_000; key++) {
        assertArrayEquals(new byte[1_000], cache.get(key));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"NONE", "LZ4", "ZSTD"})
  void shouldReadTablesOfEveryCompression(String compression) throws IOException {
    CacheOptions some = Folders.small(folder, Sync.NEVER);
    CacheOptions options =
        new CacheOptions(
            folder,
            Sync.NEVER,
            false,
            some.blockCacheBytes(),
            some.memtableBytes(),
            Compression.valueOf(compression),
            1,
            1,
            true,
            some.aerospike());
    try (Cache cache = Caches.open(Caches.ROCKSDB, options)) {
      cache.put(1, new byte[10_000]);
      cache.flush();
      assertTrue(cache.counted().get("flush_written_bytes") > 0, "it is in a table");
      assertEquals(
          compression.equals("NONE"), cache.sizes().diskBytes() > 10_000, "and made smaller");
      assertArrayEquals(new byte[10_000], cache.get(1));
    }
  }

  /** A regular close keeps all puts; the crash test covers a kill. */
  @ParameterizedTest
  @ValueSource(strings = {Caches.ROCKSDB})
  void shouldKeepAllThatWasPutWithoutALogWhenItIsClosed(String type) throws IOException {
    try (Cache cache = Caches.open(type, Folders.withoutLog(folder))) {
      cache.put(5, new byte[] {1});
      assertEquals(0, cache.counted().get("log_written_bytes"));
    }
    try (Cache cache = Caches.open(type, Folders.withoutLog(folder))) {
      assertArrayEquals(new byte[] {1}, cache.get(5));
    }
  }
}
