package dev.ringside.trip.store;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The lengths of all files in a folder, whatever they are: the same count for all caches. One that
 * is removed meanwhile, as by a merge of tables, is none. Some microseconds for each file.
 */
final class FolderLength extends SimpleFileVisitor<Path> {
  private long bytes;

  private FolderLength() {}

  /**
   * Of that folder, and those in it.
   *
   * @throws IOException if it cannot be looked into
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
