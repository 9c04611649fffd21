package dev.ringside.trip.cache;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Selects the compression of tables on disk. */
public enum Compression {
  /** No compression. */
  NONE,
  /** Fast compression. */
  LZ4,
  /** Strong compression. */
  ZSTD;

  /** Returns the name that settings use. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the names of all values. */
  public static List<String> ids() {
    return Arrays.stream(values()).map(Compression::id).toList();
  }

  /** Returns the value with a name. */
  public static Compression of(String id) {
    return valueOf(id.toUpperCase(Locale.ROOT));
  }
}
