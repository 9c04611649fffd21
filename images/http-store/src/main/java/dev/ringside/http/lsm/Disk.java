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
 * What a store asks of its file system when it writes: all that an acknowledged write depends on,
 * so that a test can let each of it fail. For any number of threads.
 */
interface Disk {
  /** Of the operating system. */
  Disk REAL = new Real();

  /** Makes a file that is not there. Its name is safe once its folder is synced. */
  Output create(Path file) throws IOException;

  /** Gives a file another name, at once, in place of any file that had it. */
  void rename(Path from, Path to) throws IOException;

  /** Removes a file. */
  void delete(Path file) throws IOException;

  /** Makes the names of a folder's files reach the disk. */
  void sync(Path folder) throws IOException;

  /** A file that grows at its end. */
  interface Output extends WritableByteChannel {
    /**
     * Makes all of it reach the disk. The kernel reports a failure once, and drops what it could
     * not write: a second sync that succeeds proves nothing of it.
     */
    void sync() throws IOException;
  }

  /** The only one outside of tests. */
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

  /** By a channel. */
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
