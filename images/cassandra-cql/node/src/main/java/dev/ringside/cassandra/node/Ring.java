package dev.ringside.cassandra.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Whether the ring was complete once. A file in the data folder keeps that over a restart, with the
 * number of nodes: with another number of nodes, this node would have another token, and answer for
 * rows that are on other nodes.
 */
final class Ring {
  /** Cassandra's name for the schema version of nodes that do not answer. */
  static final String UNREACHABLE = "UNREACHABLE";

  private final Path file;
  private final int nodes;

  Ring(Path data, int nodes) {
    file = data.resolve("ringside-ring");
    this.nodes = nodes;
  }

  /** Reports whether the ring was complete. */
  boolean wasComplete() {
    return Files.exists(file);
  }

  /**
   * Checks that the data belong to a ring of this number of nodes.
   *
   * @throws IllegalArgumentException with a message of one line if not
   */
  void check() throws IOException {
    if (!wasComplete()) {
      return;
    }
    String before = Files.readString(file).trim();
    if (!before.equals(Integer.toString(nodes))) {
      throw new IllegalArgumentException(
          String.format(
              "the data belong to a ring of %s nodes, not of %d; set nodes to %s, or uninstall the"
                  + " release, delete its volume claims and install it again",
              before, nodes, before));
    }
  }

  /**
   * Returns what the ring lacks, one line each, and remembers when it lacks nothing.
   *
   * @param live the number of nodes that are up
   * @param normal the number of nodes with a token
   * @param schemas asks the nodes that are up for the version of their schema; called only if all
   *     are, because it waits for those that do not answer
   */
  List<String> lacks(int live, int normal, Supplier<Map<String, List<String>>> schemas) {
    if (live != nodes || normal != nodes) {
      return List.of(live + " of " + nodes + " nodes are up, " + normal + " have their token");
    }
    Map<String, List<String>> versions = schemas.get();
    if (versions.containsKey(UNREACHABLE)) {
      return List.of("nodes that do not answer: " + versions.get(UNREACHABLE));
    }
    if (versions.size() != 1) {
      return List.of("the nodes have " + versions.size() + " versions of the schema");
    }
    try {
      Files.writeString(file, nodes + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException("recording that the ring is complete failed", e);
    }
    return List.of();
  }
}
