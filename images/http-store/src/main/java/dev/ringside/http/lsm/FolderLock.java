package dev.ringside.http.lsm;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Keeps other processes, and other stores of this process, out of a folder. The kernel releases the
 * lock when the process ends.
 */
final class FolderLock implements AutoCloseable {
  private final FileChannel channel;

  FolderLock(Path folder) throws IOException {
    channel =
        FileChannel.open(
            folder.resolve("owner"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (!taken(channel)) {
      channel.close();
      throw new IOException(
          folder + " is another store's: end that, or give this one a folder of its own");
    }
  }

  private static boolean taken(FileChannel channel) throws IOException {
    try {
      FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
