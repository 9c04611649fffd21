package dev.ringside.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Folders that are still there when the machine was lost. */
public final class Folders {
  private Folders() {}

  /** Makes the names in a folder reach the disk. */
  public interface Syncing {
    /** Returns once they have. */
    void sync(Path folder) throws IOException;
  }

  /**
   * Makes a folder and all that it lies in, where they are not there. A new folder is a name in
   * another one: unless that is synced, the loss of the machine may take the folder with all its
   * synced files.
   */
  public static Path create(Path folder) throws IOException {
    return create(folder, Folders::sync);
  }

  /** The same with another way to sync. */
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

  /** Makes the names in a folder reach the disk. */
  public static void sync(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
