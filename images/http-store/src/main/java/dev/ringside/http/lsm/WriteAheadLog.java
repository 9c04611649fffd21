package dev.ringside.http.lsm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.LongAdder;

/**
 * Is the log of one table in memory, from which acknowledged writes are recovered. One thread at a
 * time appends; any number of threads sync at the same time.
 */
final class WriteAheadLog implements AutoCloseable {
  private final Disk disk;
  private final Path file;
  private final Disk.Output output;
  private final LongAdder syncs;
  // Written by one thread at a time.
  private volatile long appended;
  // Is -1 until the first sync, which also makes the file's name durable.
  private long synced = -1;
  private volatile Throwable failure;

  /** Creates a log. */
  WriteAheadLog(Disk disk, Path file, LongAdder syncs) throws IOException {
    this.disk = disk;
    this.file = file;
    this.syncs = syncs;
    output = disk.create(file);
  }

  /** Returns the number of bytes appended. */
  long length() {
    return appended;
  }

  /**
   * Passes an entry to the operating system with one system call. From then on the entry survives
   * the end of the process.
   *
   * @return the log's length with the entry
   * @throws IOException if this append or an earlier operation failed; part of a record may be at
   *     the log's end, so nothing is appended any more
   */
  long append(Entry entry) throws IOException {
    refuseIfFailed();
    ByteBuffer record = Records.encode(entry);
    int length = record.remaining();
    try {
      while (record.hasRemaining()) {
        output.write(record);
      }
    } catch (Throwable e) { // an Error may also leave part of a record
      failure = e;
      throw e;
    }
    long all = appended + length;
    appended = all;
    return all;
  }

  /**
   * Returns when the log has reached the disk up to a length. Callers that wait during a sync are
   * mostly all covered by the next one, so one sync serves many writes.
   *
   * @throws IOException if this sync or an earlier one failed; the kernel reports a failure once
   *     and drops what it could not write, so a later sync would wrongly succeed
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

  /** Syncs the whole log to the disk. */
  void sync() throws IOException {
    sync(appended);
  }

  /**
   * Removes a log whose entries are all in a table. Callers that wait for a sync return without
   * one.
   */
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
