package dev.ringside.trip.cache;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How tables on disk are made smaller. */
public enum Compression {
  /** Not at all. */
  NONE,
  /** Quickly. */
  LZ4,
  /** Well. */
  ZSTD;

  /** As settings have it. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** All of them. */
  public static List<String> ids() {
    return Arrays.stream(values()).map(Compression::id).toList();
  }

  /** The one of that id. */
  public static Compression of(String id) {
    return valueOf(id.toUpperCase(Locale.ROOT));
  }
}
