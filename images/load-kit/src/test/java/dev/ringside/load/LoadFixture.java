package dev.ringside.load;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/** A load in this process, with its settings and its output. */
final class LoadFixture {
  private final Path folder;
  private final Map<String, String> environment = new HashMap<>();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private int batch = 1;
  private Clock clock = Clock.SYSTEM;

  LoadFixture(Path folder) {
    this.folder = folder;
    with("RINGSIDE_KEYS", "1000")
        .with("RINGSIDE_THREADS", "4")
        .with("RINGSIDE_SEED", "7")
        .with("RINGSIDE_HLOG", log().toString())
        .with("RINGSIDE_SUMMARY", folder.resolve("summary").toString());
  }

  LoadFixture with(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** Sets how many operations a connection does together. */
  LoadFixture inBatchesOf(int operations) {
    batch = operations;
    return this;
  }

  /** Replaces the machine's clock. */
  LoadFixture by(Clock other) {
    clock = other;
    return this;
  }

  /** Runs the load and returns its exit status. */
  int run(Connector connector) {
    PrintStream errors = new PrintStream(err, true);
    return LoadProcess.run(
        () -> {
          OrderSource in = new OrderSource(environment::get);
          CommonOrders orders = new CommonOrders(in, batch);
          in.check();
          PrintStream out = new PrintStream(new ByteArrayOutputStream());
          Load.run(orders, "READ", connector, out, errors, clock);
        },
        errors);
  }

  Path log() {
    return folder.resolve("load.hlog");
  }

  String errors() {
    return err.toString();
  }

  /** Returns a number of the summary. */
  long summary(String name) throws IOException {
    Properties properties = new Properties();
    properties.load(Files.newBufferedReader(folder.resolve("summary")));
    return Long.parseLong(properties.getProperty(name));
  }
}
