package dev.ringside.http.lsm;

import static dev.ringside.http.lsm.Stores.get;
import static dev.ringside.http.lsm.Stores.open;
import static dev.ringside.http.lsm.Stores.put;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.store.Sync;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the recovery from the files that a crash leaves at critical moments. */
class RecoveryTest {
  private static final long ROOMY = 1 << 20;
  @TempDir Path home;

  private Path folder() {
    return home.resolve("store");
  }

  @Test
  void shouldFindAllWholeRecordsOfALogWithATornTail() throws Exception {
    try (Lsm store = open(folder(), ROOMY)) {
      put(store, "a", "1");
      put(store, "b", "2");
      put(store, "c", "3");
    }
    Path log = only(".log");
    byte[] whole = Files.readAllBytes(log);
    int record = whole.length / 3;
    for (int length = whole.length; length >= 2 * record; length--) {
      Path copy = copyOf(folder());
      Files.write(copy.resolve(log.getFileName()), Arrays.copyOf(whole, length));
      try (Lsm store = open(copy, ROOMY)) {
        assertEquals("1", get(store, "a"));
        assertEquals("2", get(store, "b"));
        assertEquals(length == whole.length ? "3" : null, get(store, "c"));
        put(store, "c", "4");
      }
      try (Lsm store = open(copy, ROOMY)) {
        assertEquals("4", get(store, "c"), "what is written behind a torn tail is found again");
      }
    }
  }

  /** Acknowledged writes are in the damaged record and after it. */
  @Test
  void shouldRefuseALogThatIsDamagedInside() throws Exception {
    try (Lsm store = open(folder(), ROOMY)) {
      put(store, "a", "1");
      put(store, "b", "2");
      put(store, "c", "3");
    }
    Path log = only(".log");
    byte[] whole = Files.readAllBytes(log);
    int record = whole.length / 3;
    for (int at = 0; at < 2 * record; at++) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 0x10;
      Path copy = copyOf(folder());
      Path its = copy.resolve(log.getFileName());
      Files.write(its, damaged);
      int from = at - at % record;
      String refusal =
          String.format(
              "open the store: %s.damaged is damaged in bytes %d to %d, behind which are records"
                  + " that were acknowledged; put %s back from a copy and remove the damaged file,"
                  + " or give up all writes from there on: truncate -s %d %s.damaged && mv"
                  + " %s.damaged %s",
              its, from, from + record, log.getFileName(), from, its, its, its);
      for (int start = 0; start < 2; start++) {
        IOException refused = assertThrows(IOException.class, () -> open(copy, ROOMY));
        assertEquals(refusal, refused.getMessage());
      }
      Path aside = copy.resolve(log.getFileName() + ".damaged");
      assertArrayEquals(damaged, Files.readAllBytes(aside), "nothing of it is lost");

      // Follows the message's instruction.
      Files.write(its, Arrays.copyOf(damaged, from));
      Files.delete(aside);
      try (Lsm store = open(copy, ROOMY)) {
        assertEquals(from == 0 ? null : "1", get(store, "a"));
        assertNull(get(store, "b"));
      }
    }
  }

  /** The value contains a complete record. */
  @Test
  void shouldNotTakeTheValueOfATornRecordForARecordBehindDamage() throws Exception {
    byte[] inner = Records.encode(Bytes.entry("inner", "value")).array();
    byte[] value = Arrays.copyOf(inner, inner.length + 100);
    try (Lsm store = open(folder(), ROOMY)) {
      store.put(Bytes.of("a"), value);
    }
    Path log = only(".log");
    byte[] whole = Files.readAllBytes(log);
    Files.write(log, Arrays.copyOf(whole, whole.length - 50));
    try (Lsm store = open(folder(), ROOMY)) {
      assertNull(get(store, "a"));
      assertNull(get(store, "inner"));
    }
  }

  @Test
  void shouldKeepWhatADamagedTableWasMergedFrom() throws Exception {
    Options unmerged = new Options(folder(), ROOMY, true, false, 2, Sync.NEVER, 1);
    for (String value : List.of("1", "2")) {
      try (Lsm store = open(unmerged)) {
        put(store, value, value);
      }
    }
    open(unmerged).close(); // converts the last log to a table
    Path before = copyOf(folder());
    try (Lsm store = open(new Options(folder(), ROOMY, true, true, 2, Sync.NEVER, 1))) {
      Stores.await("tables are one", () -> store.status().tables() == 1);
    }
    Path merged = only(".table");
    byte[] damaged = Files.readAllBytes(merged);
    damaged[4] ^= 1;
    Files.write(merged, damaged);
    for (Path table : files(before, ".table")) {
      Files.copy(table, folder().resolve(table.getFileName())); // as if the crash came before
    }
    IOException refused = assertThrows(IOException.class, () -> open(unmerged));
    assertTrue(refused.getMessage().startsWith(merged + " is damaged"), refused.getMessage());
    assertEquals(3, files(folder(), ".table").size(), "the two that it was merged from are there");
    Files.delete(merged);
    try (Lsm store = open(unmerged)) {
      assertEquals("1", get(store, "1"));
      assertEquals("2", get(store, "2"));
    }
  }

  @Test
  void shouldSayHowMuchOfALogItLeftOut() throws Exception {
    try (Lsm store = open(folder(), ROOMY)) {
      put(store, "a", "1");
    }
    Path log = only(".log");
    byte[] whole = Files.readAllBytes(log);
    Files.write(log, Arrays.copyOf(whole, whole.length + 5));
    List<String> said = new ArrayList<>();
    new Lsm(Stores.options(folder(), ROOMY, Sync.NEVER), said::add).close();
    assertEquals(
        List.of(
            log.getFileName()
                + ": "
                + whole.length
                + " bytes of log read again, 5 of an unfinished record left out"),
        said);
  }

  @Test
  void shouldNotReadALogAgainWhoseTableIsThere() throws Exception {
    Path log;
    try (Lsm store = open(folder(), ROOMY)) {
      put(store, "a", "old");
    }
    log = only(".log");
    Path kept = Files.copy(log, home.resolve("kept"));
    try (Lsm store = open(folder(), ROOMY)) {
      put(store, "a", null); // the first log is a table now
    }
    Files.move(kept, log); // as if the crash came before the log was removed
    try (Lsm store = open(folder(), ROOMY)) {
      assertNull(get(store, "a"));
    }
  }

  @Test
  void shouldNotLetSupersededTablesShowThrough() throws Exception {
    Options unmerged = new Options(folder(), ROOMY, true, false, 2, Sync.NEVER, 1);
    for (String value : Arrays.asList("1", "2", null)) {
      try (Lsm store = open(unmerged)) {
        put(store, "a", value);
      }
    }
    open(unmerged).close(); // converts the last log to a table
    Path before = copyOf(folder());
    try (Lsm store = open(new Options(folder(), ROOMY, true, true, 2, Sync.NEVER, 1))) {
      Stores.await("tables are one", () -> store.status().tables() == 1);
      assertNull(get(store, "a"));
    }
    // As if the crash came before the sources of the merge were removed.
    for (Path table : files(before, ".table")) {
      Files.copy(table, folder().resolve(table.getFileName()));
    }
    Files.createFile(folder().resolve("000000000009-000000000009.table.unfinished"));
    try (Lsm store = open(unmerged)) {
      assertNull(get(store, "a"), "the removal itself was merged away");
      assertEquals(1, store.status().tables());
    }
    assertEquals(List.of(), files(folder(), ".unfinished"));
  }

  private Path only(String ending) throws IOException {
    List<Path> files = files(folder(), ending);
    assertEquals(1, files.size(), files::toString);
    return files.get(0);
  }

  private static List<Path> files(Path folder, String ending) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(ending)).toList();
    }
  }

  private Path copyOf(Path folder) throws IOException {
    Path copy = Files.createTempDirectory(home, "copy");
    for (Path file : files(folder, "")) {
      Files.copy(file, copy.resolve(file.getFileName()));
    }
    assertTrue(Files.exists(copy));
    return copy;
  }
}
