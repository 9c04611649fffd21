package dev.ringside.trip.store;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Sums the lengths of all files in a folder, in the same way for all caches. A file that is removed
 * during the walk, for example by a merge of tables, does not count. Costs some microseconds per
 * file.
 */
final class FolderLength extends SimpleFileVisitor<Path> {
  private long bytes;

  private FolderLength() {}

  /**
   * Returns the bytes in a folder and its subfolders.
   *
   * @throws IOException if the folder cannot be read
   */
  static long of(Path folder) throws IOException {
    FolderLength length = new FolderLength();
    Files.walkFileTree(folder, length);
    return length.bytes;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
    bytes += attributes.size();
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
    if (e instanceof NoSuchFileException) {
      return FileVisitResult.CONTINUE;
    }
    throw e;
  }
}
