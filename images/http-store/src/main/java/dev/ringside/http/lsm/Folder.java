package dev.ringside.http.lsm;

import dev.ringside.store.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Names the files in a store's folder. The names alone determine how the files belong together.
 *
 * <p>{@code <from>-<to>.table} holds the entries of the logs of those generations. {@code
 * <generation>.log} is a log whose entries are in no table yet. A merged table has the whole range
 * of its sources. So a table within another table's range is superseded, and the folder is never
 * ambiguous.
 */
final class Folder {
  private static final String TABLE = ".table";
  private static final String LOG = ".log";
  private static final String UNFINISHED = ".unfinished";
  private static final String DAMAGED = ".damaged";
  private final Disk disk;
  private final Path path;

  Folder(Disk disk, Path path) throws IOException {
    this.disk = disk;
    this.path = Folders.create(path, disk::sync);
  }

  /** Holds the generations of the logs that a table was made from, both ends included. */
  record Range(long from, long to) {
    boolean within(Range other) {
      return from >= other.from && to <= other.to;
    }
  }

  Path log(long generation) {
    return path.resolve(String.format("%012d", generation) + LOG);
  }

  Path table(Range range) {
    return path.resolve(String.format("%012d-%012d", range.from, range.to) + TABLE);
  }

  /** Returns the path of a table that is not complete yet. */
  Path unfinished(Range range) {
    return path.resolve(table(range).getFileName() + UNFINISHED);
  }

  /** Returns the tables that are not superseded, oldest first. */
  List<Range> tables() throws IOException {
    List<Range> all = allTables();
    return all.stream()
        .filter(range -> !supersededBy(all, range))
        .sorted(Comparator.comparingLong(Range::from))
        .toList();
  }

  /**
   * Removes files that a crash left: unfinished tables and superseded tables. Call this only after
   * the tables that supersede them were checked, because a damaged one may leave these as the only
   * copy.
   */
  void removeLeftovers() throws IOException {
    for (Path unfinished : list(UNFINISHED)) {
      disk.delete(unfinished);
    }
    List<Range> all = allTables();
    for (Range range : all) {
      if (supersededBy(all, range)) {
        remove(range);
      }
    }
  }

  private List<Range> allTables() throws IOException {
    return list(TABLE).stream().map(Folder::rangeOf).toList();
  }

  private static boolean supersededBy(List<Range> all, Range range) {
    return all.stream().anyMatch(other -> !other.equals(range) && range.within(other));
  }

  private static Range rangeOf(Path file) {
    String[] ends = stem(file, TABLE).split("-", 2);
    return new Range(Long.parseLong(ends[0]), Long.parseLong(ends[1]));
  }

  /** Removes a superseded table. */
  void remove(Range range) throws IOException {
    disk.delete(table(range));
  }

  /** Removes a log whose entries are in a table. */
  void removeLog(long generation) throws IOException {
    disk.delete(log(generation));
  }

  /** Renames a log, so that it is neither read nor removed any more. */
  Path setAside(Path log) throws IOException {
    Path aside = path.resolve(log.getFileName() + DAMAGED);
    disk.rename(log, aside);
    disk.sync(path);
    return aside;
  }

  /** Returns the former path of a log that was set aside. */
  Path nameOf(Path aside) {
    return path.resolve(stem(aside, DAMAGED));
  }

  /** Returns the logs that were set aside. */
  List<Path> setAside() throws IOException {
    return list(DAMAGED);
  }

  /** Returns the generations that have a log, oldest first. */
  List<Long> logs() throws IOException {
    return list(LOG).stream().map(file -> Long.parseLong(stem(file, LOG))).sorted().toList();
  }

  private static String stem(Path file, String ending) {
    String name = file.getFileName().toString();
    return name.substring(0, name.length() - ending.length());
  }

  private List<Path> list(String ending) throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return files.filter(file -> file.getFileName().toString().endsWith(ending)).toList();
    }
  }
}
