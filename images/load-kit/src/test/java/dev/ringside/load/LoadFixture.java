package dev.ringside.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.HdrHistogram.Histogram;

/** Runs a load in this process, and holds its settings and results. The loads' tests share it. */
public final class LoadFixture {
  /** A load. */
  public interface Program {
    /** Runs the load with the settings of an environment. */
    void run(UnaryOperator<String> environment, PrintStream out, PrintStream err) throws Exception;
  }

  private final Path folder;
  private final Program program;
  private final Map<String, String> environment = new HashMap<>();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private int batch = 1;
  private Clock clock = Clock.SYSTEM;

  LoadFixture(Path folder) {
    this(folder, null);
  }

  /** Creates a load that writes its results to that folder. */
  public LoadFixture(Path folder, Program program) {
    this.folder = folder;
    this.program = program;
    with("RINGSIDE_KEYS", "1000")
        .with("RINGSIDE_THREADS", "4", "RINGSIDE_SEED", "7", "RINGSIDE_HLOG", log().toString())
        .with("RINGSIDE_SUMMARY", folder.resolve("summary").toString());
  }

  /** Sets variables: names and values in turn. */
  public LoadFixture with(String... namesAndValues) {
    for (int i = 0; i < namesAndValues.length; i += 2) {
      environment.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return this;
  }

  /** Unsets variables. */
  public LoadFixture without(String... names) {
    for (String name : names) {
      environment.remove(name);
    }
    return this;
  }

  /** Makes the load interleave windows of 20 ms for a second. */
  public LoadFixture interleave(String mode, String arms) {
    return without("RINGSIDE_OPERATIONS", "RINGSIDE_ENDPOINTS")
        .with("RINGSIDE_INTERLEAVE", mode, "RINGSIDE_ARMS", arms, "RINGSIDE_BASELINE", "a")
        .with("RINGSIDE_WINDOW_MILLIS", "20", "RINGSIDE_WARMUP_SECONDS", "0")
        .with("RINGSIDE_DURATION_SECONDS", "1");
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

  /** Runs load-kit with that connector and returns its exit status. */
  int run(Connector connector) {
    return run(
        (settings, out, errors) -> {
          OrderSource in = new OrderSource(settings);
          CommonOrders orders = new CommonOrders(in, batch);
          in.check();
          Load.run(orders, "READ", connector, out, errors, clock);
        });
  }

  /** Runs the load and returns its exit status. */
  public int run() {
    return run(program);
  }

  private int run(Program load) {
    PrintStream errors = new PrintStream(err, true);
    PrintStream out = new PrintStream(new ByteArrayOutputStream());
    return LoadProcess.run(() -> load.run(environment::get, out, errors), errors);
  }

  /** Runs the load, which must succeed. */
  public void succeed() {
    assertEquals(0, run(), this::errors);
  }

  /** Runs the load, which must end with that exit status and print the texts. */
  public void endWith(int status, String... texts) {
    assertEquals(status, run(), this::errors);
    for (String text : texts) {
      assertTrue(errors().contains(text), this::errors);
    }
  }

  /** Runs the load against a port without a server, which must fail with the port in its error. */
  public void failWithoutServer(String attempt) throws IOException {
    try (ServerSocket nobody = new ServerSocket(0)) {
      with("RINGSIDE_ENDPOINTS", "127.0.0.1:" + nobody.getLocalPort());
    }
    endWith(LoadProcess.FAILED, attempt + environment.get("RINGSIDE_ENDPOINTS"));
  }

  Path log() {
    return folder.resolve("load.hlog");
  }

  /** Returns what the load printed as errors. */
  public String errors() {
    return err.toString();
  }

  /** Returns a number of the summary. */
  public long summary(String name) throws IOException {
    return Long.parseLong(properties().getProperty(name));
  }

  /** Returns the numbers of the summary that are not 0, without the keys. */
  public Map<String, Long> summary() throws IOException {
    Map<String, Long> summary = new TreeMap<>();
    properties().forEach((name, number) -> summary.put("" + name, Long.valueOf("" + number)));
    summary.values().removeIf(number -> number == 0);
    summary.remove("keys");
    return summary;
  }

  Properties properties() throws IOException {
    Properties properties = new Properties();
    properties.load(Files.newBufferedReader(folder.resolve("summary")));
    return properties;
  }

  /** Returns the number of logged operations by tag. */
  public Map<String, Long> logged() throws IOException {
    Map<String, Long> logged = new TreeMap<>();
    times().forEach((tag, times) -> logged.put(tag, times.getTotalCount()));
    return logged;
  }

  /** Returns the logged times by tag. */
  public Map<String, Histogram> times() throws IOException {
    return Logged.merged(log());
  }
}
