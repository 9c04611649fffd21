package dev.ringside.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The summary that meter holds against the log. No log of ours holds failed operations. */
public final class Summary {
  private Summary() {}

  /** Of a plain phase. */
  public static void write(Path file, Tally tally) throws IOException {
    write(
        file,
        Arrays.asList(
            "operations=" + tally.answered(), "errors=" + tally.failed(), "keys=" + tally.keys()));
  }

  /** Of interleaved windows: by label, as it stands in the log's tags. */
  static void write(Path file, Map<String, Tally> tallies) throws IOException {
    List<String> lines = new ArrayList<>();
    tallies.forEach(
        (label, tally) -> {
          lines.add(label + ".operations=" + tally.answered());
          lines.add(label + ".errors=" + tally.failed());
          lines.add(label + ".logged_errors=0");
        });
    write(file, lines);
  }

  private static void write(Path file, List<String> lines) throws IOException {
    Files.write(file, lines, StandardCharsets.UTF_8);
  }
}
