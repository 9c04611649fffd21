package dev.ringside.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.store.Sync;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.TickerType;

@Timeout(120)
class EntityStoreTest {
  private static final int KEYS = 100;
  private static final int VALUE_BYTES = 1_000;
  private static final String LEVEL0 = "rocksdb.num-files-at-level0";
  @TempDir Path home;

  @ParameterizedTest
  @EnumSource
  void shouldKeepValuesOverRestarts(Sync sync) throws IOException {
    for (int life = 0; life < 3; life++) {
      try (EntityStore store = open(sync)) {
        assertNull(store.get(key(-1)));
        for (int i = 0; life > 0 && i < KEYS; i++) {
          assertArrayEquals(i % 2 == 0 ? null : value(life - 1), store.get(key(i)));
        }
        for (int i = 0; i < KEYS; i++) {
          assertTrue(store.put(key(i), value(life)));
          assertTrue(i % 2 != 0 || store.remove(key(i)));
        }
        assertTrue(store.remove(key(-1)));
        assertTrue(store.put(key(KEYS), new byte[0]));
        assertEquals(0, store.get(key(KEYS)).length);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldSyncItsLogAsOrdered(Sync sync) throws Exception {
    try (EntityStore store = open(sync)) {
      for (int i = 0; i < KEYS; i++) {
        store.put(key(i), value(i));
      }
      while (sync == Sync.INTERVAL && synced(store) == 0) {
        Thread.onSpinWait();
      }
      assertTrue(sync == Sync.ALWAYS ? synced(store) >= KEYS : synced(store) < KEYS);
      assertEquals(sync == Sync.NEVER, synced(store) == 0);
    }
  }

  private static long synced(EntityStore store) {
    return store.counted(TickerType.WAL_FILE_SYNCED);
  }

  @ParameterizedTest
  @CsvSource({"false, false", "true, false", "false, true"})
  void shouldMergeAndFilterItsTablesAsOrdered(boolean bloom, boolean compaction) throws Exception {
    try (EntityStore store = open(Sync.NEVER, bloom, compaction)) {
      for (int i = 0; i < 10_000; i++) { // about ten tables
        while (!store.put(key(2 * i), value(i))) {
          Thread.onSpinWait();
        }
      }
      while (compaction && store.counted(TickerType.COMPACT_WRITE_BYTES) == 0) {
        Thread.onSpinWait();
      }
      assertTrue(compaction || store.property(LEVEL0) >= 5);
      assertEquals(compaction, store.counted(TickerType.COMPACT_WRITE_BYTES) > 0);
      for (int i = 0; i < KEYS; i++) {
        assertNull(store.get(key(2 * i + 1)));
      }
      assertEquals(bloom, store.counted(TickerType.BLOOM_FILTER_USEFUL) > 0);
    }
  }

  @Test
  void shouldRejectWritesWhileItsTablesInMemoryAreFull() throws IOException {
    try (EntityStore store = open(Sync.NEVER)) {
      byte[] large = new byte[1 << 19];
      int i = 0;
      while (store.put(key(i), large)) {
        i++;
      }
      assertEquals(1, store.busy());
      assertNull(store.get(key(i)));
      while (!store.put(key(i), large)) {
        Thread.onSpinWait(); // until a flush has finished
      }
      assertNull(store.failure());
      assertEquals(large.length, store.get(key(i)).length);
    }
  }

  @Test
  void shouldFinishRunningCallsWhenItIsClosedAndFailLaterOnes() throws Exception {
    ExecutorService callers = Executors.newFixedThreadPool(4);
    for (int life = 0; life < 5; life++) {
      EntityStore store = open(Sync.ALWAYS);
      Set<Integer> acknowledged = ConcurrentHashMap.newKeySet();
      CountDownLatch running = new CountDownLatch(KEYS);
      Stream<Future<Object>> calls =
          Stream.of(0, 1, 2, 3)
              .map(caller -> callers.submit(() -> call(store, caller, acknowledged, running)))
              .toList()
              .stream();
      running.await();
      store.close();
      calls.forEach(
          call -> {
            Throwable end = assertThrows(Exception.class, call::get).getCause();
            String closed = "use " + folder() + ": the store is closed; restart it";
            assertEquals(closed, end.getMessage());
          });
      assertThrows(IllegalStateException.class, () -> store.property(LEVEL0));
      store.close();
      try (EntityStore again = open(Sync.ALWAYS)) {
        for (int i : acknowledged) {
          assertArrayEquals(value(i), again.get(key(i)));
        }
      }
    }
    callers.shutdown();
    assertTrue(callers.awaitTermination(1, TimeUnit.MINUTES));
  }

  private static Object call(
      EntityStore store, int caller, Set<Integer> acknowledged, CountDownLatch running)
      throws IOException {
    for (int i = caller; ; i += 4) {
      store.get(key(i));
      if (store.put(key(i), value(i))) {
        acknowledged.add(i);
      }
      running.countDown();
    }
  }

  @Test
  void shouldNameTheFolderThatAnotherStoreUses() throws IOException {
    try (EntityStore store = open(Sync.NEVER)) {
      store.put(key(1), value(1));
      String why = whyNot(folder());
      assertTrue(
          why.startsWith("open " + folder() + ": ")
              && why.contains("lock")
              && why.contains("that no other process uses it"),
          why);
    }
  }

  /** The superuser may write to any folder but those of the kernel, and to none within a file. */
  @Test
  void shouldNameTheFolderThatItMayNotWriteTo() throws IOException {
    Path file = Files.createFile(home.resolve("file"));
    for (Path folder : new Path[] {Path.of("/sys/http-store"), file.resolve("data")}) {
      String why = whyNot(folder);
      assertTrue(
          why.startsWith("create " + folder + ": ")
              && why.endsWith("; choose a folder that this user may write to"),
          why);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldOpenWithATornLogButNotWithADamagedOne(boolean torn) throws IOException {
    Path killed = Files.createDirectory(home.resolve("killed"));
    try (EntityStore store = open(Sync.ALWAYS)) {
      for (int i = 0; i < KEYS; i++) {
        store.put(key(i), value(i));
      }
      for (Path file : filesIn(folder(), "")) {
        Files.copy(file, killed.resolve(file.getFileName()));
      }
    }
    Path log = filesIn(killed, ".log")[0];
    byte[] whole = Files.readAllBytes(log);
    assertTrue(whole.length > KEYS * VALUE_BYTES);
    if (torn) {
      Files.write(log, Arrays.copyOf(whole, whole.length - VALUE_BYTES / 2));
      try (EntityStore store = new EntityStore(options(killed, Sync.NEVER, false, true))) {
        for (int i = 0; i < KEYS - 1; i++) {
          assertArrayEquals(value(i), store.get(key(i)));
        }
        assertNull(store.get(key(KEYS - 1)));
      }
    } else {
      whole[whole.length / 2] ^= 1;
      Files.write(log, whole);
      String why = whyNot(killed);
      assertTrue(
          why.startsWith("open " + killed + ": ")
              && why.endsWith("; restore the folder from a copy, or remove it to start empty"),
          why);
    }
  }

  private Path folder() {
    return home.resolve("data");
  }

  private EntityStore open(Sync sync) throws IOException {
    return open(sync, false, true);
  }

  private EntityStore open(Sync sync, boolean bloom, boolean compaction) throws IOException {
    return new EntityStore(options(folder(), sync, bloom, compaction));
  }

  private static StorageOptions options(Path folder, Sync sync, boolean bloom, boolean compaction) {
    return new StorageOptions(folder, 1, 1, bloom, compaction, sync, 1);
  }

  private static String whyNot(Path folder) {
    StorageOptions options = options(folder, Sync.NEVER, false, true);
    return assertThrows(IOException.class, () -> new EntityStore(options).close()).getMessage();
  }

  private static byte[] key(int number) {
    return Integer.toString(number).getBytes();
  }

  private static byte[] value(int number) {
    byte[] value = new byte[VALUE_BYTES];
    Arrays.fill(value, (byte) number);
    return value;
  }

  private static Path[] filesIn(Path folder, String ending) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(ending)).toArray(Path[]::new);
    }
  }
}
