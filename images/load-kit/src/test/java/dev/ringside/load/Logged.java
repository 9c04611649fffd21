package dev.ringside.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;

/** Reads the content of a log. */
final class Logged {
  private Logged() {}

  /** Returns the lines in their order. */
  static List<Histogram> lines(Path file) throws IOException {
    List<Histogram> lines = new ArrayList<>();
    try (HistogramLogReader reader = new HistogramLogReader(Files.newInputStream(file))) {
      for (EncodableHistogram line = reader.nextIntervalHistogram();
          line != null;
          line = reader.nextIntervalHistogram()) {
        lines.add((Histogram) line);
      }
    }
    return lines;
  }

  /** Returns the sum of the lines of each tag. */
  static Map<String, Histogram> merged(Path file) throws IOException {
    Map<String, Histogram> merged = new TreeMap<>();
    for (Histogram line : lines(file)) {
      merged.computeIfAbsent(line.getTag(), tag -> new Histogram(3)).add(line);
    }
    return merged;
  }
}
