package dev.ringside.store;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * When a store writes its data to the disk, and so which data survives a crash of the machine. A
 * crash of the process is another matter.
 */
public enum Sync {
  /** Before the acknowledgement: acknowledged data survives a crash of the machine. */
  ALWAYS,
  /** At intervals: a crash of the machine loses the data of the last interval. */
  INTERVAL,
  /** When the operating system decides. */
  NEVER;

  /** Returns the name in settings. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the names of all values. */
  public static List<String> ids() {
    return Arrays.stream(values()).map(Sync::id).toList();
  }

  /** Returns the value of that name. */
  public static Sync of(String id) {
    return valueOf(id.toUpperCase(Locale.ROOT));
  }
}
