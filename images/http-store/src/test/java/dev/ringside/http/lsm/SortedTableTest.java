package dev.ringside.http.lsm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SortedTableTest {
  private static final Folder.Range RANGE = new Folder.Range(3, 5);
  @TempDir Path path;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldFindEveryEntryAndNoOther(boolean bloom) throws Exception {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < 1000; i += 2) {
      entries.add(Bytes.entry(key(i), i % 10 == 0 ? null : "value " + i));
    }
    SortedTable table = write(bloom, entries);
    assertEquals(500, table.count());
    assertEquals(bloom, table.hasFilter());
    assertEquals(Files.size(new Folder(Disk.REAL, path).table(RANGE)), table.bytes());
    for (int i = -1; i <= 1001; i++) {
      Entry found = table.get(Bytes.of(key(i)));
      boolean there = i >= 0 && i < 1000 && i % 2 == 0;
      assertEquals(
          there ? key(i) + "=" + (i % 10 == 0 ? null : "value " + i) : null, Bytes.text(found));
      assertFalse(there && table.surelyLacks(Bytes.of(key(i))));
    }
    assertNull(table.get(Bytes.of("")));
  }

  private static String key(int i) {
    return String.format("%+06d", i);
  }

  @Test
  void shouldOrderBytesWithoutSignAndShorterKeysFirst() throws Exception {
    List<String> order = List.of("", "a", "aa", "ab", "b", "\u007f", "\u0080", "\uffee");
    List<Entry> entries = order.stream().map(key -> Bytes.entry(key, key)).toList();
    SortedTable table = write(true, entries);
    List<String> read = new ArrayList<>();
    table.entries().forEachRemaining(entry -> read.add(Bytes.text(entry.key())));
    assertEquals(order, read);
    order.forEach(key -> assertEquals(key, Bytes.text(table.get(Bytes.of(key)).value())));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldHoldNothingWhenEverythingWasRemoved(boolean bloom) throws Exception {
    SortedTable table = write(bloom, List.of());
    assertEquals(0, table.count());
    assertNull(table.get(Bytes.of("a")));
    assertFalse(table.entries().hasNext());
  }

  @Test
  void shouldRefuseAFileThatIsNotWhatWasWritten() throws Exception {
    write(true, List.of(Bytes.entry("a", "1"), Bytes.entry("b", "2")));
    Path file = new Folder(Disk.REAL, path).table(RANGE);
    byte[] whole = Files.readAllBytes(file);
    for (int i = 0; i < whole.length; i++) {
      byte[] broken = whole.clone();
      broken[i] ^= 1;
      Files.write(file, broken);
      int at = i;
      IOException fault =
          assertThrows(IOException.class, () -> SortedTable.open(RANGE, file), () -> "byte " + at);
      assertTrue(fault.getMessage().contains(file + " is damaged"), fault.getMessage());
    }
    for (int length : new int[] {0, 1, SortedTable.FOOTER, whole.length - 1}) {
      Files.write(file, java.util.Arrays.copyOf(whole, length));
      assertThrows(IOException.class, () -> SortedTable.open(RANGE, file), () -> length + " bytes");
    }
  }

  @Test
  void shouldLeaveNothingUnfinishedBehind() throws Exception {
    write(false, List.of(Bytes.entry("a", "1")));
    try (var files = Files.list(path)) {
      assertEquals(List.of(new Folder(Disk.REAL, path).table(RANGE)), files.toList());
    }
  }

  private SortedTable write(boolean bloom, List<Entry> entries) throws IOException {
    return new TableWriter(Disk.REAL, new Folder(Disk.REAL, path), bloom)
        .write(RANGE, Bytes.sorted(entries), entries.size());
  }
}
