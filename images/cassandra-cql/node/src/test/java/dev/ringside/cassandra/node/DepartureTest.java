package dev.ringside.cassandra.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DepartureTest {
  @TempDir private Path data;

  @Test
  void shouldRememberItUntilTheNodeJoinsAgain() throws Exception {
    assertFalse(new Departure(data).happened());
    new Departure(data).end();
    new Departure(data).record();
    assertTrue(new Departure(data).happened());
    new Departure(data).end();
    assertFalse(new Departure(data).happened());
  }

  @Test
  void shouldDeleteAllButItsMemoryAndWhatTheFileSystemKeeps() throws Exception {
    Files.createDirectories(data.resolve("data/keyspace1/standard1"));
    Files.createFile(data.resolve("data/keyspace1/standard1/nb-1-big-Data.db"));
    Files.createDirectory(data.resolve("lost+found"));
    new Ring(data, 1).lacks(1, 1, () -> Map.of("a", List.of("10.0.0.1")));
    Departure departure = new Departure(data);
    departure.record();
    new Upgrade(data).record("5.0.9");
    departure.deleteData();
    assertFalse(Files.exists(data.resolve("data")));
    assertTrue(Files.exists(data.resolve("lost+found")));
    assertFalse(new Ring(data, 1).wasComplete(), "it is ready when the ring has all nodes again");
    assertEquals(Optional.of("5.0.9"), new Upgrade(data).version(), "it joins as what it was");
    assertTrue(departure.happened(), "a join that is interrupted begins again");
  }
}
