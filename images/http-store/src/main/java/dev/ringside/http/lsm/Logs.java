package dev.ringside.http.lsm;

import java.io.IOException;

/**
 * Holds the logs whose entries are in no table yet, as one value. A sync reads both logs at once:
 * with two reads, a rotation in between could hide one log from it.
 *
 * @param active accepts writes
 * @param frozen the log of the table that is being flushed, or null
 */
record Logs(WriteAheadLog active, WriteAheadLog frozen) {
  /** Returns the logs after a rotation: the next log accepts writes. */
  Logs rotated(WriteAheadLog next) {
    return new Logs(next, active);
  }

  /** Returns the logs after a flush: the frozen log's entries are in a table. */
  Logs flushed() {
    return new Logs(active, null);
  }

  /** Syncs both logs to the disk in the order in which they were written. */
  void sync() throws IOException {
    if (frozen != null) {
      frozen.sync();
    }
    active.sync();
  }

  void close() throws IOException {
    if (frozen != null) {
      frozen.close();
    }
    active.close();
  }
}
