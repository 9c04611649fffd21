package dev.ringside.cassandra.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.load.LoadProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.HistogramLogReader;
import org.apache.cassandra.thrift.ConsistencyLevel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The load with libthrift's own server. */
class CassandraLoadTest {
  @TempDir Path folder;
  private final FakeStore store = new FakeStore();
  private final Map<String, String> environment = new HashMap<>();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeEach
  void orderAFill() throws Exception {
    environment.put("RINGSIDE_OPERATION", "write");
    environment.put("RINGSIDE_ENDPOINTS", store.serve() + "," + store.serve());
    environment.put("RINGSIDE_OPERATIONS", "500");
    environment.put("RINGSIDE_KEYS", "500");
    environment.put("RINGSIDE_THREADS", "8");
    environment.put("RINGSIDE_CONSISTENCY", "QUORUM");
    environment.put("RINGSIDE_REPLICATION_FACTOR", "3");
    environment.put("RINGSIDE_HLOG", folder.resolve("load.hlog").toString());
    environment.put("RINGSIDE_SUMMARY", folder.resolve("summary").toString());
  }

  @AfterEach
  void stop() {
    store.close();
  }

  @Test
  void shouldFillThePopulationExactlyOnce() throws Exception {
    store.disagree(2);
    assertEquals(0, run(), err::toString);
    assertEquals(500, store.writes.size());
    assertEquals(Set.of(1), Set.copyOf(store.writes.values()));
    assertEquals(Set.of(ConsistencyLevel.QUORUM), store.levels.keySet());
    assertEquals(
        List.of(
            "CREATE KEYSPACE IF NOT EXISTS keyspace1 WITH replication = {'class':"
                + " 'SimpleStrategy', 'replication_factor': 3}",
            "CREATE TABLE IF NOT EXISTS keyspace1.standard1 (key blob PRIMARY KEY, \"C0\" blob,"
                + " \"C1\" blob, \"C2\" blob, \"C3\" blob, \"C4\" blob) WITH COMPACT STORAGE AND"
                + " compression = {'enabled': false}"),
        List.copyOf(store.statements));
    assertEquals(500, summary("operations"));
    assertEquals(0, summary("errors"));
    assertEquals(Map.of("WRITE-st", 500L), logged());
    assertTrue(store.requests.values().stream().allMatch(count -> count.get() > 0));
  }

  @Test
  void shouldWriteThisPodsShareOnly() throws Exception {
    run(); // the pod with the first keys creates the table
    store.writes.clear();
    environment.put("RINGSIDE_OPERATIONS", "100");
    environment.put("RINGSIDE_KEY_OFFSET", "400");
    environment.put("RINGSIDE_KEY_COUNT", "100");
    assertEquals(0, run(), err::toString);
    assertEquals(100, store.writes.size());
    Population population = new Population(5, 34);
    for (int number = 401; number <= 500; number++) {
      assertTrue(store.writes.containsKey(new String(population.key(number))));
    }
  }

  @Test
  void shouldWalkThroughItsKeysAgainWhenThereAreMoreOperations() throws Exception {
    environment.put("RINGSIDE_OPERATIONS", "1000");
    assertEquals(0, run(), err::toString);
    assertEquals(500, store.writes.size());
    assertEquals(Set.of(2), Set.copyOf(store.writes.values()));
  }

  @Test
  void shouldReadWhatWasWritten() throws Exception {
    run();
    environment.put("RINGSIDE_OPERATION", "read");
    environment.put("RINGSIDE_TARGET_RATE", "2000");
    assertEquals(0, run(), err::toString);
    assertEquals(500, summary("operations"));
    assertEquals(0, summary("errors"));
    assertEquals(Map.of("READ-st", 500L, "READ-rt", 500L, "READ-wt", 500L), logged());
  }

  @Test
  void shouldCountAMissingOrChangedRowAsAnError() throws Exception {
    run();
    Population population = new Population(5, 34);
    store.rows.remove(new String(population.key(7)));
    store.rows.get(new String(population.key(8))).put("C3", "something else");
    environment.put("RINGSIDE_OPERATION", "read");
    environment.put("RINGSIDE_PARAM_DISTRIBUTION", "sequential");
    assertEquals(0, run(), err::toString);
    assertEquals(498, summary("operations"));
    assertEquals(2, summary("errors"));
    assertEquals(2, summary("error.wrong"));
    assertTrue(err.toString().contains("it is not there"), err::toString);
    assertTrue(err.toString().contains("column 3 differs"), err::toString);
  }

  @Test
  void shouldCountWhatTheStoreRefusesAndTryNothingTwice() throws Exception {
    store.failOneIn(10);
    assertEquals(0, run(), err::toString);
    int asked = store.requests.values().stream().mapToInt(count -> count.get()).sum();
    assertEquals(500, asked);
    assertEquals(500 - summary("errors"), summary("operations"));
    assertTrue(summary("errors") >= 48, "errors");
    assertEquals(summary("errors"), summary("error.store-timed-out"));
    assertTrue(err.toString().contains("TimedOutException"), err::toString);
  }

  @Test
  void shouldRefuseToReadWhatWasNeverWritten() {
    environment.put("RINGSIDE_OPERATION", "read");
    assertEquals(LoadProcess.BAD_ORDERS, run());
    assertTrue(err.toString().contains("reads need a write phase before them"), err::toString);
  }

  @Test
  void shouldNameTheServerThatCannotBeReached() throws Exception {
    try (ServerSocket nobody = new ServerSocket(0)) {
      environment.put("RINGSIDE_ENDPOINTS", "127.0.0.1:" + nobody.getLocalPort());
    }
    assertEquals(LoadProcess.FAILED, run());
    String said = "cannot prepare the table at " + environment.get("RINGSIDE_ENDPOINTS") + ": ";
    assertTrue(err.toString().contains(said), err::toString);
    assertTrue(err.toString().contains("Connection refused"), err::toString);
  }

  @Test
  void shouldFailWhenTheServerGoesWhileItIsLoaded() throws Exception {
    assertEquals(0, run(), err::toString);
    environment.put("RINGSIDE_OPERATION", "read");
    environment.remove("RINGSIDE_OPERATIONS");
    environment.put("RINGSIDE_DURATION_SECONDS", "20");
    CompletableFuture<Void> stopped =
        CompletableFuture.runAsync(() -> store.awaitRequestsThenClose(2_000));
    assertEquals(LoadProcess.FAILED, run(), err::toString);
    stopped.join();
    assertTrue(err.toString().contains("all connections to the server are gone"), err::toString);
  }

  @Test
  void shouldSwitchBetweenServersInWindows() throws Exception {
    run();
    interleave("windows");
    assertEquals(0, run(), err::toString);
    Map<String, Long> logged = logged();
    assertEquals(Set.of("a/READ-st", "b/READ-st", "c/READ-st"), logged.keySet());
    for (String arm : List.of("a", "b", "c")) {
      assertEquals(logged.get(arm + "/READ-st"), summary(arm + ".operations"));
      assertEquals(0, summary(arm + ".errors"));
      assertTrue(summary(arm + ".operations") > 0);
    }
  }

  @Test
  void shouldLoadTwoServersAtOnceInADuet() throws Exception {
    run();
    interleave("duet");
    environment.put("RINGSIDE_BASELINE", "a");
    assertEquals(0, run(), err::toString);
    assertEquals(Set.of("b/READ-st", "a@b/READ-st", "c/READ-st", "a@c/READ-st"), logged().keySet());
    assertEquals(logged().get("a@c/READ-st"), summary("a@c.operations"));
  }

  private void interleave(String mode) throws Exception {
    environment.remove("RINGSIDE_OPERATIONS");
    environment.remove("RINGSIDE_ENDPOINTS");
    environment.put("RINGSIDE_OPERATION", "read");
    environment.put(
        "RINGSIDE_ARMS", "a=" + store.serve() + ";b=" + store.serve() + ";c=" + store.serve());
    environment.put("RINGSIDE_INTERLEAVE", mode);
    environment.put("RINGSIDE_WINDOW_MILLIS", "20");
    environment.put("RINGSIDE_WARMUP_SECONDS", "1");
    environment.put("RINGSIDE_DURATION_SECONDS", "2");
    environment.put("RINGSIDE_SEED", "5");
  }

  private int run() {
    PrintStream errors = new PrintStream(err, true);
    return LoadProcess.run(
        () ->
            CassandraLoad.run(
                environment::get, new PrintStream(new ByteArrayOutputStream()), errors),
        errors);
  }

  private long summary(String name) throws IOException {
    Properties properties = new Properties();
    properties.load(Files.newBufferedReader(folder.resolve("summary")));
    return Long.parseLong(properties.getProperty(name));
  }

  /** Returns the number of operations by tag. */
  private Map<String, Long> logged() throws IOException {
    Map<String, Long> logged = new HashMap<>();
    try (HistogramLogReader reader =
        new HistogramLogReader(Files.newInputStream(folder.resolve("load.hlog")))) {
      for (EncodableHistogram line = reader.nextIntervalHistogram();
          line != null;
          line = reader.nextIntervalHistogram()) {
        long count = ((org.HdrHistogram.Histogram) line).getTotalCount();
        logged.merge(line.getTag(), count, Long::sum);
      }
    }
    return logged;
  }
}
