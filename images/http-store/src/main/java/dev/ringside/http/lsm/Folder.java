package dev.ringside.http.lsm;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
  private final Path path;

  Folder(Path path) throws IOException {
    this.path = Files.createDirectories(path);
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

  /** Tables, the oldest first. Removes what a crash left: unfinished and superseded ones. */
  List<Range> tables() throws IOException {
    for (Path unfinished : list(UNFINISHED)) {
      Files.delete(unfinished);
    }
    List<Range> all = list(TABLE).stream().map(Folder::rangeOf).toList();
    for (Range range : all) {
      if (supersededBy(all, range)) {
        Files.delete(table(range));
      }
    }
    return all.stream()
        .filter(range -> !supersededBy(all, range))
        .sorted(Comparator.comparingLong(Range::from))
        .toList();
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
    Files.delete(table(range));
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

  /** Makes the folder's names reach the disk. */
  static void sync(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
