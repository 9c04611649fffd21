package dev.ringside.cql.load;

import dev.ringside.cassandra.load.StressRows;
import dev.ringside.load.LoadProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

/** Runs the load in this process, and reads what it wrote. */
final class LoadRuns {
  private LoadRuns() {}

  /** Runs the load with these orders, and returns its exit code. */
  static int run(Map<String, String> environment, OutputStream err) {
    PrintStream errors = new PrintStream(err, true);
    return LoadProcess.run(
        () -> CqlLoad.run(environment::get, new PrintStream(new ByteArrayOutputStream()), errors),
        errors);
  }

  /** Returns a number of the summary in a folder. */
  static long summary(Path folder, String name) throws IOException {
    Properties properties = new Properties();
    properties.load(Files.newBufferedReader(folder.resolve("summary")));
    return Long.parseLong(properties.getProperty(name));
  }

  /** Returns a key of cassandra-stress' rows. */
  static String key(int number) {
    return new String(new StressRows(5, 34).key(number), StandardCharsets.US_ASCII);
  }
}
