package dev.ringside.http.lsm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.LongAdder;

/**
 * The log of one table in memory: what of it was acknowledged can be read back from here. Appending
 * is for one thread at a time; syncing for any number beside it.
 */
final class WriteAheadLog implements AutoCloseable {
  private final Disk disk;
  private final Path file;
  private final Disk.Output output;
  private final LongAdder syncs;
  // Written by one thread at a time.
  private volatile long appended;
  // The file's name is on the disk with the first sync.
  private long synced = -1;
  private volatile Throwable failure;

  /** A new log. */
  WriteAheadLog(Disk disk, Path file, LongAdder syncs) throws IOException {
    this.disk = disk;
    this.file = file;
    this.syncs = syncs;
    output = disk.create(file);
  }

  /** What was appended so far. */
  long length() {
    return appended;
  }

  /**
   * Hands the entry to the operating system: from then on it outlives the process. One system call.
   *
   * @return the log's length with it
   * @throws IOException if that failed, or anything did before; part of a record may stand at the
   *     log's end, so that nothing is appended any more
   */
  long append(Entry entry) throws IOException {
    refuseIfFailed();
    ByteBuffer record = Records.encode(entry);
    int length = record.remaining();
    try {
      while (record.hasRemaining()) {
        output.write(record);
      }
    } catch (Throwable e) { // an Error may leave part of a record, too
      failure = e;
      throw e;
    }
    long all = appended + length;
    appended = all;
    return all;
  }

  /**
   * Returns once the log has reached the disk up to that length. Whoever comes while another one
   * syncs waits for that, and then mostly finds that the next sync, of one of those who waited,
   * covers all: so one sync serves many writes.
   *
   * @throws IOException if that failed, or an earlier one did: the kernel tells of a failure once
   *     and drops what it could not write, so that the caller would be told of a success
   */
  synchronized void sync(long length) throws IOException {
    if (synced < length) {
      refuseIfFailed();
      long covered = appended;
      try {
        output.sync();
        if (synced < 0) {
          disk.sync(file.getParent());
        }
      } catch (Throwable e) {
        failure = e;
        throw e;
      }
      syncs.increment();
      synced = covered;
    }
  }

  private void refuseIfFailed() throws IOException {
    if (failure != null) {
      throw new IOException("the log " + file.getFileName() + " has failed: " + failure, failure);
    }
  }

  /** Makes all of it reach the disk. */
  void sync() throws IOException {
    sync(appended);
  }

  /** Removes a log that nobody needs: all of it is in a table. Whoever waits for a sync has it. */
  void remove() throws IOException {
    close();
    disk.delete(file);
  }

  @Override
  public synchronized void close() throws IOException {
    synced = Long.MAX_VALUE;
    output.close();
  }
}
