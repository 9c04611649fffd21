package dev.ringside.http.lsm;

import dev.ringside.store.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The names in a store's folder, which are all that says how its files belong together: {@code
 * <from>-<to>.table} holds what the logs of those generations held, {@code <generation>.log} is one
 * that no table holds yet. A table that was merged from others has their whole range, so what lies
 * within another's range is superseded, and there is no moment at which the folder is ambiguous.
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

  /** Generations of the logs that a table was made from, both ends included. */
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

  /** Where a table grows until it is whole. */
  Path unfinished(Range range) {
    return path.resolve(table(range).getFileName() + UNFINISHED);
  }

  /** Tables that count, the oldest first. */
  List<Range> tables() throws IOException {
    List<Range> all = allTables();
    return all.stream()
        .filter(range -> !supersededBy(all, range))
        .sorted(Comparator.comparingLong(Range::from))
        .toList();
  }

  /**
   * Removes what a crash left: unfinished tables and superseded ones. Once those that supersede
   * them have been found whole: else these would be all that is left.
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

  /** Removes a table that is superseded. */
  void remove(Range range) throws IOException {
    disk.delete(table(range));
  }

  /** Removes a log that is in a table. */
  void removeLog(long generation) throws IOException {
    disk.delete(log(generation));
  }

  /** Gives a log a name by which it is read and removed no more. */
  Path setAside(Path log) throws IOException {
    Path aside = path.resolve(log.getFileName() + DAMAGED);
    disk.rename(log, aside);
    disk.sync(path);
    return aside;
  }

  /** The name that a log had before. */
  Path nameOf(Path aside) {
    return path.resolve(stem(aside, DAMAGED));
  }

  /** Logs that were set aside. */
  List<Path> setAside() throws IOException {
    return list(DAMAGED);
  }

  /** Generations that have a log, the oldest first. */
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
