package dev.ringside.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Creates folders that survive a crash of the machine. */
public final class Folders {
  private Folders() {}

  /** Writes the names in a folder to the disk. */
  public interface Syncing {
    /** Returns after the names are on the disk. */
    void sync(Path folder) throws IOException;
  }

  /**
   * Creates a folder and its missing parents. A new folder is a name in its parent: unless the
   * parent is synced, a crash of the machine may lose the folder with all its synced files.
   */
  public static Path create(Path folder) throws IOException {
    return create(folder, Folders::sync);
  }

  /** Creates a folder and its missing parents, with another way to sync. */
  public static Path create(Path folder, Syncing syncing) throws IOException {
    if (!Files.isDirectory(folder)) {
      Path in = folder.toAbsolutePath().getParent();
      if (in != null) {
        create(in, syncing);
      }
      Files.createDirectory(folder);
      if (in != null) {
        syncing.sync(in);
      }
    }
    return folder;
  }

  /** Writes the names in a folder to the disk. */
  public static void sync(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
