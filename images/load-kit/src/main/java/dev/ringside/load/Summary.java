package dev.ringside.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Writes the summary, which meter compares with the log. The log has failed operations under a tag
 * of their own, not among those that were answered.
 */
public final class Summary {
  private Summary() {}

  /** Writes the summary of a plain phase. */
  public static void write(Path file, Tally tally) throws IOException {
    List<String> lines = lines("", tally);
    lines.add("not_begun=" + tally.notBegun());
    lines.add("keys=" + tally.keys());
    writeLines(file, lines);
  }

  /**
   * Writes the summary of interleaved windows.
   *
   * @param tallies counts by label, as in the log's tags
   */
  static void write(Path file, Map<String, Tally> tallies) throws IOException {
    List<String> lines = new ArrayList<>();
    tallies.forEach(
        (label, tally) -> {
          lines.addAll(lines(label + ".", tally));
          lines.add(label + ".not_begun=" + tally.notBegun());
        });
    writeLines(file, lines);
  }

  /**
   * Writes the summary of searches for capacities. A step in which operations did not begin did not
   * meet its objective.
   */
  static void write(Path file, List<Search> searches) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Search search : searches) {
      String prefix = search.label().isEmpty() ? "" : search.label() + ".";
      lines.addAll(lines(prefix, search.tally()));
      search.lines().forEach(line -> lines.add(prefix + line));
    }
    writeLines(file, lines);
  }

  private static List<String> lines(String prefix, Tally tally) {
    List<String> lines = new ArrayList<>();
    lines.add(prefix + "operations=" + tally.answered());
    lines.add(prefix + "errors=" + tally.failed());
    tally
        .failures()
        .forEach((kind, count) -> lines.add(prefix + "error." + kind.id() + "=" + count));
    lines.add(prefix + "logged_errors=0");
    lines.add(prefix + "unanswered=" + tally.unanswered());
    tally.outcomes().forEach((name, count) -> lines.add(prefix + "outcome." + name + "=" + count));
    return lines;
  }

  private static void writeLines(Path file, List<String> lines) throws IOException {
    Files.write(file, lines, StandardCharsets.UTF_8);
  }
}
