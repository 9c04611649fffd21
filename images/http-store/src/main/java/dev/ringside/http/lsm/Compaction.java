package dev.ringside.http.lsm;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;

/** Chooses tables to merge, and merges them. */
final class Compaction {
  /** Keeps a merged table well below the limit of 2 GiB for a table. */
  static final long MOST_BYTES = 1L << 30;

  private Compaction() {}

  /**
   * Returns the newest tables that together fit into one. Returns none if there are fewer than
   * {@code from} tables, or if no two fit.
   */
  static List<SortedTable> choose(List<SortedTable> newestFirst, int from, long mostBytes) {
    if (newestFirst.size() < from) {
      return List.of();
    }
    long bytes = 0;
    int count = 0;
    while (count < newestFirst.size() && bytes + newestFirst.get(count).bytes() <= mostBytes) {
      bytes += newestFirst.get(count).bytes();
      count++;
    }
    return count < 2 ? List.of() : newestFirst.subList(0, count);
  }

  /**
   * Writes the merged table.
   *
   * @param all whether those are all tables of the store
   */
  static SortedTable merge(List<SortedTable> those, boolean all, TableWriter writer)
      throws IOException {
    List<Iterator<Entry>> entries = those.stream().map(SortedTable::entries).toList();
    Folder.Range range =
        new Folder.Range(those.get(those.size() - 1).range().from(), those.get(0).range().to());
    int atMost = those.stream().mapToInt(SortedTable::count).reduce(0, Math::addExact);
    return writer.write(range, new Merge(entries, all), atMost);
  }
}
