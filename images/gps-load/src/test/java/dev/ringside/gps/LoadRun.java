package dev.ringside.gps;

import dev.ringside.load.LoadProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;

/** Runs a load in this process, and holds its orders and results. */
final class LoadRun {
  private final Path folder;
  private final Map<String, String> environment = new HashMap<>();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  LoadRun(Path folder) {
    this.folder = folder;
    with("RINGSIDE_OPERATION", "point")
        .with("RINGSIDE_KEYS", "1")
        .with("RINGSIDE_THREADS", "3")
        .with("RINGSIDE_PARAM_TRIPS", "10")
        .with("RINGSIDE_PARAM_MULTIPLIER", "20")
        .with("RINGSIDE_PARAM_PACKET_SIZE", "50")
        .with("RINGSIDE_PARAM_TIMEOUT_MS", "20000")
        .with("RINGSIDE_HLOG", folder.resolve("hlog").toString())
        .with("RINGSIDE_SUMMARY", folder.resolve("summary").toString());
  }

  LoadRun with(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** Runs the load and returns its exit status. */
  int run() {
    PrintStream out = new PrintStream(new ByteArrayOutputStream());
    PrintStream errors = new PrintStream(err, true);
    return LoadProcess.run(() -> GpsLoad.run(environment::get, out, errors), errors);
  }

  String errors() {
    return err.toString(StandardCharsets.UTF_8);
  }

  /** Returns a number of the summary. */
  long summary(String name) throws IOException {
    Properties properties = new Properties();
    properties.load(Files.newBufferedReader(folder.resolve("summary")));
    return Long.parseLong(properties.getProperty(name));
  }

  /** Returns the number of values in the log with a tag. */
  long logged(String tag) throws IOException {
    long count = 0;
    try (HistogramLogReader reader = new HistogramLogReader(folder.resolve("hlog").toFile())) {
      for (EncodableHistogram next = reader.nextIntervalHistogram();
          next != null;
          next = reader.nextIntervalHistogram()) {
        if (tag.equals(next.getTag())) {
          count += ((Histogram) next).getTotalCount();
        }
      }
    }
    return count;
  }
}
