package dev.ringside.http.lsm;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * When the write-ahead log is made to reach the disk. A write is in the log's file before it is
 * acknowledged in any case, so the end of the process loses nothing; this is about the end of the
 * machine.
 */
public enum Sync {
  /** Before the acknowledgement; writes that wait at the same time share one sync. */
  ALWAYS,
  /** Again and again: what a loss of power may take is what was written since. */
  INTERVAL,
  /** When the operating system does so. Tables are synced when they are flushed, as ever. */
  NEVER;

  /** Its name in settings. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** All names. */
  public static List<String> ids() {
    return Arrays.stream(values()).map(Sync::id).toList();
  }

  /** By its name. */
  public static Sync of(String id) {
    return valueOf(id.toUpperCase(Locale.ROOT));
  }
}
