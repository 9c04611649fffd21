package dev.ringside.cassandra.node;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * The version of Cassandra that this node's data were upgraded to by an order. A file in the data
 * folder keeps it: the pod's start reads from it which version to run (charts/cassandra-cql), and
 * the old version never serves upgraded data.
 */
final class Upgrade {
  /** The chart's command looks for it. */
  static final String FILE = "ringside-upgraded";

  private final Path data;
  private final Path file;

  Upgrade(Path data) {
    this.data = data;
    file = data.resolve(FILE);
  }

  /** Returns the version that the data belong to; empty if they were not upgraded. */
  Optional<String> version() throws IOException {
    return Files.exists(file) ? Optional.of(Files.readString(file).trim()) : Optional.empty();
  }

  /**
   * Remembers from now on which version the data belong to. When it returns, the disk has it. A
   * crash before leaves either nothing or the whole file.
   */
  void record(String version) throws IOException {
    Path whole = data.resolve(FILE + ".new");
    try (FileChannel out =
        FileChannel.open(
            whole,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer text = ByteBuffer.wrap((version + "\n").getBytes(StandardCharsets.UTF_8));
      while (text.hasRemaining()) {
        out.write(text);
      }
      out.force(true);
    }
    Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
    try (FileChannel folder = FileChannel.open(data, StandardOpenOption.READ)) {
      folder.force(true); // the name of the file, too
    }
  }

  /**
   * Checks that a version may open the data.
   *
   * @throws IllegalArgumentException with a message of one line if not
   */
  void check(String running) throws IOException {
    Optional<String> version = version();
    if (version.isPresent() && !version.get().equals(running)) {
      throw new IllegalArgumentException(
          String.format(
              "the data were upgraded to Cassandra %s, which %s cannot open; set"
                  + " maintenance.upgradeTo to a variant of %s, or uninstall the release, delete its"
                  + " volume claims and install it again",
              version.get(), running, version.get()));
    }
  }
}
