package dev.ringside.cassandra.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class UpgradeTest {
  @TempDir private Path data;

  @Test
  void shouldRememberTheVersion() throws Exception {
    assertEquals(Optional.empty(), new Upgrade(data).version());
    new Upgrade(data).record("5.0.9");
    assertEquals(Optional.of("5.0.9"), new Upgrade(data).version());
    try (Stream<Path> files = Files.list(data)) {
      assertEquals(List.of(data.resolve(Upgrade.FILE)), files.collect(Collectors.toList()));
    }
  }

  @Test
  void shouldBeginAgainAfterACrash() throws Exception {
    Files.writeString(data.resolve(Upgrade.FILE + ".new"), "5.0.9 and a");
    assertEquals(Optional.empty(), new Upgrade(data).version(), "half a file is none");
    new Upgrade(data).record("5.0.9");
    assertEquals(Optional.of("5.0.9"), new Upgrade(data).version());
  }

  @Test
  void shouldRejectAnotherVersionForUpgradedData() throws Exception {
    Upgrade upgrade = new Upgrade(data);
    upgrade.check("4.1.10");
    upgrade.record("5.0.9");
    upgrade.check("5.0.9");
    assertEquals(
        "the data were upgraded to Cassandra 5.0.9, which 4.1.10 cannot open; set"
            + " maintenance.upgradeTo to a variant of 5.0.9, or uninstall the release, delete its"
            + " volume claims and install it again",
        assertThrows(IllegalArgumentException.class, () -> upgrade.check("4.1.10")).getMessage());
  }
}
