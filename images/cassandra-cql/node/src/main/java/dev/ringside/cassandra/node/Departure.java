package dev.ringside.cassandra.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Whether this node left the ring by an order. A file in the data folder keeps that over a restart,
 * because Cassandra does not start with the data of a node that left. The node then deletes them
 * and joins as a new one.
 */
final class Departure {
  private static final String FILE = "ringside-left";

  /** With the folder that a file system keeps for itself; only root can read it. */
  private static final Set<String> KEPT = Set.of(FILE, Upgrade.FILE, "lost+found");

  private final Path data;
  private final Path file;

  Departure(Path data) {
    this.data = data;
    file = data.resolve(FILE);
  }

  /** Reports whether the node left and has not joined again. */
  boolean happened() {
    return Files.exists(file);
  }

  /** Remembers that the node left the ring. */
  void record() throws IOException {
    Files.createFile(file);
  }

  /**
   * Deletes all data but the memory that the node left, so that an interrupted join begins again,
   * and that of its {@link Upgrade}: it joins as the version that it was.
   */
  void deleteData() throws IOException {
    try (Stream<Path> entries = Files.list(data)) {
      for (Path entry : entries.collect(Collectors.toList())) {
        if (!KEPT.contains(entry.getFileName().toString())) {
          delete(entry);
        }
      }
    }
  }

  private static void delete(Path tree) throws IOException {
    List<Path> paths;
    try (Stream<Path> all = Files.walk(tree)) {
      paths = all.sorted(Comparator.reverseOrder()).collect(Collectors.toList());
    }
    for (Path path : paths) {
      Files.delete(path);
    }
  }

  /** Forgets that the node left, because it is in the ring again. */
  void end() throws IOException {
    Files.deleteIfExists(file);
  }
}
