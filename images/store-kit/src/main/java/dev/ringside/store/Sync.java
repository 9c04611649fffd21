package dev.ringside.store;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * When what a store has written is made to survive the machine, and so what an acknowledgement
 * promises. That it survives the process is a matter of its own.
 */
public enum Sync {
  /** Before it is acknowledged: what was acknowledged is not lost with the machine. */
  ALWAYS,
  /** From time to time: with the machine, what came in the last moments is lost. */
  INTERVAL,
  /** When the operating system sees fit. */
  NEVER;

  /** As settings have it. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** All of them. */
  public static List<String> ids() {
    return Arrays.stream(values()).map(Sync::id).toList();
  }

  /** The one of that id. */
  public static Sync of(String id) {
    return valueOf(id.toUpperCase(Locale.ROOT));
  }
}
