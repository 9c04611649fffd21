package dev.ringside.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FoldersTest {
  @TempDir Path home;
  private final List<Path> synced = new ArrayList<>();

  @Test
  void shouldSyncTheNameOfEachNewFolder() throws IOException {
    Path folder = home.resolve("data/store");
    Folders.create(folder, synced::add);
    assertTrue(Files.isDirectory(folder));
    assertEquals(List.of(home, home.resolve("data")), synced);
  }

  @Test
  void shouldSyncNothingWhereNothingIsNew() throws IOException {
    Folders.create(home, synced::add);
    assertEquals(List.of(), synced);
  }

  @Test
  void shouldFailWhereAFolderCannotBeSynced() {
    assertThrows(
        IOException.class,
        () ->
            Folders.create(
                home.resolve("data"),
                folder -> {
                  throw new IOException("the disk is broken");
                }));
  }
}
