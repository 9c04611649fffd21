package dev.ringside.http.lsm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompactionTest {
  @TempDir Path path;
  private final List<SortedTable> newestFirst = new ArrayList<>();
  private TableWriter writer;

  @BeforeEach
  void writeFourTables() throws Exception {
    writer = new TableWriter(Disk.REAL, new Folder(Disk.REAL, path), false);
    for (int i = 1; i <= 4; i++) {
      List<Entry> entries = List.of(Bytes.entry("key", "v" + i), Bytes.entry("only" + i, null));
      newestFirst.add(
          0, writer.write(new Folder.Range(i, i), Bytes.sorted(entries), entries.size()));
    }
  }

  @Test
  void shouldWaitUntilThereAreEnough() {
    assertEquals(List.of(), Compaction.choose(newestFirst, 5, Compaction.MOST_BYTES));
    assertEquals(newestFirst, Compaction.choose(newestFirst, 4, Compaction.MOST_BYTES));
  }

  @Test
  void shouldTakeTheNewestThatFitIntoOne() {
    int one = newestFirst.get(0).bytes();
    assertEquals(newestFirst.subList(0, 2), Compaction.choose(newestFirst, 2, 3L * one - 1));
    assertEquals(List.of(), Compaction.choose(newestFirst, 2, 2L * one - 1), "one alone is none");
  }

  @Test
  void shouldKeepRemovalsWhileOlderTablesLieBelow() throws Exception {
    SortedTable some = Compaction.merge(newestFirst.subList(0, 2), false, writer);
    assertEquals(new Folder.Range(3, 4), some.range());
    assertEquals(3, some.count());
    assertEquals("only3=null", Bytes.text(some.get(Bytes.of("only3"))));
    View view = new View(new MemTable(), null, newestFirst).merged(newestFirst.subList(0, 2), some);
    assertEquals(List.of(some, newestFirst.get(2), newestFirst.get(3)), view.tables());

    SortedTable all = Compaction.merge(view.tables(), true, writer);
    assertEquals(new Folder.Range(1, 4), all.range());
    assertEquals(1, all.count());
    assertEquals("key=v4", Bytes.text(all.get(Bytes.of("key"))));
  }
}
