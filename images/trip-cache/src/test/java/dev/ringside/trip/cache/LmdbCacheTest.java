package dev.ringside.trip.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.ringside.store.Sync;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LmdbCacheTest {
  @TempDir Path folder;

  @Test
  void shouldSayThatItsMapIsFull() throws IOException {
    CacheOptions options =
        new CacheOptions(folder, Sync.NEVER, true, 1, 1, Compression.NONE, 1, 1 << 20, true, null);
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

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @EnabledOnOs(OS.LINUX)
  void shouldTellTheKernelWhetherToReadAhead(boolean readAhead) throws IOException {
    CacheOptions options =
        new CacheOptions(
            folder, Sync.NEVER, true, 1, 1, Compression.NONE, 1, 1 << 20, readAhead, null);
    try (Cache cache = Caches.open(Caches.LMDB, options)) {
      cache.put(1, new byte[100]);
      assertEquals(100, cache.get(1).length);
      assertEquals(readAhead, !adviceOnTheMap().contains("rr"), "rr is MADV_RANDOM");
    }
  }

  /** Returns the kernel's flags of the mapped file (VmFlags in smaps, see proc(5)). */
  private List<String> adviceOnTheMap() throws IOException {
    boolean ours = false;
    for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
      if (line.contains("data.mdb")) {
        ours = line.contains(folder.toString());
      } else if (ours && line.startsWith("VmFlags:")) {
        return Arrays.asList(line.substring("VmFlags:".length()).trim().split(" "));
      }
    }
    throw new IOException("the file is not mapped");
  }
}
