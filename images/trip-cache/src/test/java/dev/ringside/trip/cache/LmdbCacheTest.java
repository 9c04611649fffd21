package dev.ringside.trip.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.ringside.store.Sync;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LmdbCacheTest {
  @TempDir Path folder;

  @Test
  void shouldSayThatItsMapIsFull() throws IOException {
    CacheOptions options =
        new CacheOptions(folder, Sync.NEVER, true, 1, 1, Compression.NONE, 1, 1 << 20, null);
    try (Cache cache = Caches.open(Caches.LMDB, options)) {
      IOException full =
          assertThrows(
              IOException.class,
              () -> {
                for (long key = 0; key < 10_000; key++) {
                  cache.put(key, new byte[1_000]);
                }
              });
      assertEquals("LMDB's map of 1 MiB is full: give it a larger one", full.getMessage());
    }
  }
}
