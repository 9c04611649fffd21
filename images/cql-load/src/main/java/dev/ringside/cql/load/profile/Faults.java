package dev.ringside.cql.load.profile;

import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong in a profile, with its lines. */
final class Faults {
  private final List<String> lines = new ArrayList<>();

  /** Adds an error: what is wrong, and what to do. */
  void add(int line, String format, Object... arguments) {
    lines.add("line " + line + ": " + String.format(format, arguments));
  }

  /**
   * Ends the reading.
   *
   * @throws ProfileException with all errors, if there are any
   */
  void check() throws ProfileException {
    if (!lines.isEmpty()) {
      throw new ProfileException(lines);
    }
  }
}
