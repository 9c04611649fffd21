package dev.ringside.trip.cache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.store.Sync;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the recovery of puts that only the log has when the process is killed. */
class RocksCacheTest {
  private static final int KEYS = 100;
  private static final int VALUE_BYTES = 1_000;
  @TempDir Path home;
  private Path killed;
  private Path log;
  private byte[] whole;

  @BeforeEach
  void putAndKill() throws IOException {
    Path folder = home.resolve("rocksdb");
    killed = Files.createDirectory(home.resolve("killed"));
    try (Cache cache = open(folder)) {
      for (int key = 0; key < KEYS; key++) {
        cache.put(key, value(key));
      }
      cache.flush();
      for (Path file : filesIn(folder, "")) {
        Files.copy(file, killed.resolve(file.getFileName()));
      }
    }
    List<Path> logs = filesIn(killed, ".log");
    assertEquals(1, logs.size(), logs::toString);
    log = logs.get(0);
    whole = Files.readAllBytes(log);
    assertTrue(whole.length > KEYS * VALUE_BYTES, "all of them are in the log");
  }

  @Test
  void shouldNotOpenWithoutWhatStandsBehindDamageInItsLog() throws IOException {
    byte[] damaged = whole.clone();
    damaged[damaged.length / 2] ^= 1;
    Files.write(log, damaged);
    IOException refused = assertThrows(IOException.class, () -> open(killed).close());
    assertTrue(
        refused.getMessage().startsWith("RocksDB cannot open " + killed + ": ")
            && refused
                .getMessage()
                .endsWith("; put the folder back from a copy, or remove it to start empty"),
        refused.getMessage());
  }

  @Test
  void shouldOpenWithATornTail() throws IOException {
    Files.write(log, Arrays.copyOf(whole, whole.length - VALUE_BYTES / 2));
    try (Cache cache = open(killed)) {
      for (int key = 0; key < KEYS - 1; key++) {
        assertArrayEquals(value(key), cache.get(key), "key " + key);
      }
    }
  }

  private static Cache open(Path folder) throws IOException {
    return Caches.open(Caches.ROCKSDB, Folders.small(folder, Sync.ALWAYS));
  }

  private static byte[] value(int key) {
    byte[] value = new byte[VALUE_BYTES];
    Arrays.fill(value, (byte) key);
    return value;
  }

  private static List<Path> filesIn(Path folder, String ending) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(ending)).toList();
    }
  }
}
