package dev.ringside.http.lsm;

import java.io.IOException;

/**
 * The logs that hold what no table holds yet, at a moment. Whoever syncs takes both at once: one
 * that was rotated away in between would be neither the frozen one that was seen nor the active
 * one.
 *
 * @param active takes writes
 * @param frozen is that of the table that is being flushed; null while none is
 */
record Logs(WriteAheadLog active, WriteAheadLog frozen) {
  /** Another takes writes. */
  Logs rotated(WriteAheadLog next) {
    return new Logs(next, active);
  }

  /** What was frozen is in a table. */
  Logs flushed() {
    return new Logs(active, null);
  }

  /** Makes both reach the disk, the older first, as they were written. */
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
