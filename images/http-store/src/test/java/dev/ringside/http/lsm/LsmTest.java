package dev.ringside.http.lsm;

import static dev.ringside.http.lsm.Stores.get;
import static dev.ringside.http.lsm.Stores.open;
import static dev.ringside.http.lsm.Stores.options;
import static dev.ringside.http.lsm.Stores.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.store.Sync;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LsmTest {
  private static final long ROOMY = 1 << 20;
  private static final long TINY = 2_000;
  @TempDir Path folder;

  @Test
  void shouldGiveBackTheNewestFromMemoryAndFromTables() throws Exception {
    try (Lsm store = open(folder, TINY)) {
      for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 100; i++) {
          put(store, "key" + i, i % 7 == round ? null : "value " + i + " of " + round);
        }
      }
      assertTrue(store.status().flushes() > 2, store.status()::toString);
      for (int i = 0; i < 100; i++) {
        assertEquals(i % 7 == 2 ? null : "value " + i + " of 2", get(store, "key" + i));
      }
      assertNull(get(store, "key100"));
      assertNull(store.failure());
    }
  }

  @Test
  void shouldFindEverythingAgain() throws Exception {
    for (int life = 0; life < 4; life++) {
      try (Lsm store = open(folder, TINY)) {
        for (int i = 0; i < 60; i++) {
          assertEquals(life == 0 || i % 5 == life - 1 ? null : "v" + i, get(store, "key" + i));
        }
        for (int i = 0; i < 60; i++) {
          put(store, "key" + i, i % 5 == life ? null : "v" + i);
        }
      }
    }
  }

  @Test
  void shouldSayThatItIsBusyAndLoseNothingThatItTook() throws Exception {
    List<Integer> taken = new ArrayList<>();
    int refused = 0;
    try (Lsm store = open(options(folder, 1, Sync.NEVER))) {
      for (int i = 0; refused < 10 && i < 10_000; i++) {
        try {
          store.put(Bytes.of("key" + i), Bytes.of("v" + i));
          taken.add(i);
        } catch (BusyException e) {
          refused++;
          assertNull(get(store, "key" + i));
        }
      }
      assertEquals(10, refused, "each write fills a table, and flushing one takes longer");
      assertEquals(refused, store.status().busy());
      put(store, "later", "x");
    }
    try (Lsm store = open(folder, ROOMY)) {
      taken.forEach(i -> assertEquals("v" + i, get(store, "key" + i)));
      assertEquals("x", get(store, "later"));
    }
  }

  @Test
  void shouldMergeTablesAndForgetWhatWasRemoved() throws Exception {
    try (Lsm store = open(folder, TINY)) {
      for (int i = 0; i < 400; i++) {
        put(store, "key" + i % 40, i % 2 == 0 ? null : "v" + i);
      }
      Stores.await(
          "tables are few", () -> store.status().tables() < Stores.MERGE_FROM && idle(store));
      assertTrue(store.status().compactions() > 0);
      for (int i = 360; i < 400; i++) {
        assertEquals(i % 2 == 0 ? null : "v" + i, get(store, "key" + i % 40));
      }
    }
  }

  @Test
  void shouldKeepTheLogShortWhereOneKeyIsWrittenOver() throws Exception {
    int writes = 1_000;
    try (Lsm store = open(folder, TINY)) {
      for (int i = 0; i < writes; i++) {
        put(store, "key", "v" + i);
      }
      assertEquals("v" + (writes - 1), get(store, "key"));
      assertTrue(store.status().logBytesWritten() > 10 * TINY, store.status()::toString);
    }
    assertTrue(logBytes() < 2 * TINY, () -> logBytes() + " bytes of log");
  }

  private long logBytes() {
    long bytes = 0;
    for (File file : folder.toFile().listFiles((in, name) -> name.endsWith(".log"))) {
      bytes += file.length();
    }
    return bytes;
  }

  private static boolean idle(Lsm store) {
    LsmStatus status = store.status();
    return status.memoryBytes() <= TINY * 2 && status.flushes() > 0;
  }

  @Test
  void shouldLeaveTablesAsTheyAreWithoutCompaction() throws Exception {
    try (Lsm store = open(new Options(folder, TINY, false, false, 2, Sync.NEVER, 1))) {
      for (int i = 0; i < 400; i++) {
        put(store, "key" + i, "v");
      }
      Stores.await("a flush is done", () -> store.status().tables() > Stores.MERGE_FROM);
      assertEquals(0, store.status().compactions());
      assertNull(get(store, "no key"));
      assertEquals(0, store.status().filtered(), "without filters");
    }
    try (Lsm store = open(options(folder, TINY, Sync.NEVER))) {
      Stores.await("it is merged once it may be", () -> store.status().tables() == 1);
      assertNull(get(store, "no key"));
      assertTrue(store.status().filtered() > 0, "a merged table has a filter");
    }
  }

  @Test
  void shouldKeepOthersOutOfItsFolder() throws Exception {
    try (Lsm store = open(folder, ROOMY)) {
      assertNotNull(store);
      IOException fault = assertThrows(IOException.class, () -> open(folder, ROOMY));
      assertTrue(fault.getMessage().contains("is another store's: end that"), fault.getMessage());
    }
    open(folder, ROOMY).close();
  }

  @ParameterizedTest
  @EnumSource(Sync.class)
  void shouldSyncAsOftenAsItPromises(Sync sync) throws Exception {
    int writes = 50;
    try (Lsm store = open(options(folder, ROOMY, sync))) {
      for (int i = 0; i < writes; i++) {
        put(store, "key" + i, "v");
        if (sync == Sync.ALWAYS) {
          assertEquals(i + 1, store.status().syncs(), "before the acknowledgement");
        }
      }
      if (sync == Sync.INTERVAL) {
        Stores.await("the log was synced", () -> store.status().syncs() > 0);
      }
      if (sync == Sync.NEVER) {
        assertEquals(0, store.status().syncs());
      }
    }
  }

  @Test
  void shouldSyncTheLogOfATableThatCouldNotBeFlushedWhenItIsClosed() throws Exception {
    int never = 60_000;
    Lsm store = open(new Options(folder, TINY, false, false, 2, Sync.INTERVAL, never));
    Files.createDirectory(folder.resolve("000000000001-000000000001.table.unfinished"));
    put(store, "a", "v".repeat((int) TINY));
    put(store, "b", "v"); // rotates the first table, whose flush fails because of the folder
    Stores.await("the flush has failed", () -> store.failure() != null);
    assertEquals(0, store.status().syncs());
    store.close();
    assertEquals(2, store.status().syncs(), "of both logs");
  }

  @Test
  void shouldTakeNoWritesOnceItIsClosed() throws Exception {
    Lsm store = open(folder, ROOMY);
    store.close();
    assertThrows(IOException.class, () -> store.put(Bytes.of("a"), Bytes.of("b")));
  }
}
