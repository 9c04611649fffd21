package dev.ringside.http.lsm;

import dev.ringside.store.Folders;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Wraps the writes to the file system on which an acknowledged write depends, so that a test can
 * make each of them fail. Safe for any number of threads.
 */
interface Disk {
  /** The file system of the operating system. */
  Disk REAL = new Real();

  /** Creates a file that does not exist. Its name is durable after a sync of its folder. */
  Output create(Path file) throws IOException;

  /** Renames a file atomically. Replaces a file that has the new name. */
  void rename(Path from, Path to) throws IOException;

  void delete(Path file) throws IOException;

  /** Syncs a folder, which makes the names of its files durable. */
  void sync(Path folder) throws IOException;

  /** Is a file that grows at its end. */
  interface Output extends WritableByteChannel {
    /**
     * Syncs all bytes of the file to the disk. The kernel reports a failure once and drops what it
     * could not write: a second sync that succeeds proves nothing about those bytes.
     */
    void sync() throws IOException;
  }

  /** Is the only implementation outside of tests. */
  final class Real implements Disk {
    private Real() {}

    @Override
    public Output create(Path file) throws IOException {
      return new RealOutput(
          FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void delete(Path file) throws IOException {
      Files.delete(file);
    }

    @Override
    public void sync(Path folder) throws IOException {
      Folders.sync(folder);
    }
  }

  /** Writes to a file channel. */
  final class RealOutput implements Output {
    private final FileChannel channel;

    private RealOutput(FileChannel channel) {
      this.channel = channel;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
      return channel.write(from);
    }

    @Override
    public void sync() throws IOException {
      channel.force(false);
    }

    @Override
    public boolean isOpen() {
      return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
