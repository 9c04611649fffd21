package dev.ringside.http.lsm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.LongAdder;

/**
 * The log of one table in memory: what of it was acknowledged can be read back from here. Appending
 * is for one thread at a time; syncing for any number beside it.
 */
final class WriteAheadLog implements AutoCloseable {
  private final Path file;
  private final FileChannel channel;
  private final LongAdder syncs;
  // Written by one thread at a time.
  private volatile long appended;
  // The file's name is on the disk with the first sync.
  private long synced = -1;

  /** A new log. */
  WriteAheadLog(Path file, LongAdder syncs) throws IOException {
    this.file = file;
    this.syncs = syncs;
    channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  /** What was appended so far. */
  long length() {
    return appended;
  }

  /**
   * Hands the entry to the operating system: from then on it outlives the process. One system call.
   *
   * @return the log's length with it
   * @throws IOException if that failed; part of a record may stand at the log's end, so that
   *     nothing may be appended any more
   */
  long append(Entry entry) throws IOException {
    ByteBuffer record = Records.encode(entry);
    int length = record.remaining();
    while (record.hasRemaining()) {
      channel.write(record);
    }
    long all = appended + length;
    appended = all;
    return all;
  }

  /**
   * Returns once the log has reached the disk up to that length. Whoever comes while another one
   * syncs waits for that, and then mostly finds that the next sync, of one of those who waited,
   * covers all: so one sync serves many writes.
   */
  synchronized void sync(long length) throws IOException {
    if (synced < length) {
      long covered = appended;
      channel.force(false);
      if (synced < 0) {
        Folder.sync(file.getParent());
      }
      syncs.increment();
      synced = covered;
    }
  }

  /** Makes all of it reach the disk. */
  void sync() throws IOException {
    sync(appended);
  }

  /** Removes a log that nobody needs: all of it is in a table. Whoever waits for a sync has it. */
  void remove() throws IOException {
    close();
    Files.delete(file);
  }

  @Override
  public synchronized void close() throws IOException {
    synced = Long.MAX_VALUE;
    channel.close();
  }
}
