package dev.ringside.http.load;

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
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the load with another HTTP server than the store's. */
class HttpLoadTest {
  private static final int KEYS = 400;
  @TempDir Path folder;
  private final Map<String, String> environment = new HashMap<>();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private FakeStore store;

  @BeforeEach
  void orderAFill() throws Exception {
    store = new FakeStore();
    environment.put("RINGSIDE_OPERATION", "write");
    environment.put("RINGSIDE_ENDPOINTS", store.endpoint());
    environment.put("RINGSIDE_OPERATIONS", Integer.toString(KEYS));
    environment.put("RINGSIDE_KEYS", Integer.toString(KEYS));
    environment.put("RINGSIDE_THREADS", "4");
    environment.put("RINGSIDE_PARAM_VALUE_SIZE", "300");
    environment.put("RINGSIDE_HLOG", folder.resolve("load.hlog").toString());
    environment.put("RINGSIDE_SUMMARY", folder.resolve("summary").toString());
  }

  @AfterEach
  void stop() {
    store.close();
  }

  @Test
  void shouldFillThePopulationExactlyOnceAndFindItAgain() throws Exception {
    assertEquals(0, run(), err::toString);
    assertEquals(KEYS, store.entities.size());
    assertTrue(store.asked.values().stream().allMatch(count -> count.get() == 1));
    assertTrue(store.entities.values().stream().allMatch(value -> value.length == 300));
    assertEquals(Map.of("operations", KEYS, "outcome.stored", KEYS), summary());
    assertEquals(Map.of("WRITE-st", (long) KEYS), logged());

    order("read", "RINGSIDE_TARGET_RATE", "2000");
    assertEquals(0, run(), err::toString);
    assertEquals(Map.of("operations", KEYS, "outcome.hit", KEYS), summary());
    long all = KEYS;
    assertEquals(Map.of("READ-st", all, "READ-rt", all, "READ-wt", all), logged());

    order("delete");
    assertEquals(0, run(), err::toString);
    assertEquals(Map.of("operations", KEYS, "outcome.removed", KEYS), summary());
    assertTrue(store.entities.isEmpty());
  }

  @Test
  void shouldMissAsOftenAsItIsToldTo() throws Exception {
    assertEquals(0, run(), err::toString);
    order("read", "RINGSIDE_PARAM_MISS_RATIO", "0.9");
    assertEquals(0, run(), err::toString);
    Map<String, Integer> summary = summary();
    assertEquals(KEYS, summary.get("outcome.hit") + summary.get("outcome.miss"));
    assertEquals(0.9 * KEYS, summary.get("outcome.miss"), 6 * Math.sqrt(0.09 * KEYS));
    environment.put("RINGSIDE_PARAM_MISS_RATIO", "1");
    assertEquals(0, run(), err::toString);
    assertEquals(Map.of("operations", KEYS, "outcome.miss", KEYS), summary());
  }

  @Test
  void shouldCountWhatTheServerIsTooBusyFor() throws Exception {
    store.busyOneIn(10);
    assertEquals(0, run(), err::toString);
    int busy = KEYS / 10;
    assertEquals(
        Map.of(
            "operations",
            KEYS - busy,
            "unanswered",
            busy,
            "outcome.busy",
            busy,
            "outcome.stored",
            KEYS - busy),
        summary());
    assertEquals(Map.of("WRITE-st", (long) KEYS - busy), logged());
    assertEquals(KEYS - busy, store.entities.size());
  }

  @Test
  void shouldTryAgainWhatTheServerIsTooBusyForWhereEveryKeyMustBeThere() throws Exception {
    store.busyOneIn(3);
    environment.put("RINGSIDE_PARAM_WHEN_BUSY", "retry");
    assertEquals(0, run(), err::toString);
    assertEquals(KEYS, store.entities.size());
    assertEquals(Map.of("operations", KEYS, "outcome.stored", KEYS), summary());
  }

  @Test
  void shouldCountAMissingAnUnexpectedAndAChangedEntityAsErrors() throws Exception {
    assertEquals(0, run(), err::toString);
    order("read");
    store.entities.replaceAll((id, value) -> new byte[300]);
    assertEquals(0, run(), err::toString);
    assertEquals(Map.of("errors", KEYS, "error.wrong", KEYS), summary());
    assertTrue(err.toString().contains("has another value"), err::toString);

    store.entities.clear();
    assertEquals(0, run(), err::toString);
    assertEquals(Map.of("errors", KEYS, "error.wrong", KEYS), summary());
    assertTrue(err.toString().contains("is not there"), err::toString);
  }

  @Test
  void shouldNameTheServerThatCannotBeReached() throws Exception {
    try (ServerSocket nobody = new ServerSocket(0)) {
      environment.put("RINGSIDE_ENDPOINTS", "127.0.0.1:" + nobody.getLocalPort());
    }
    assertEquals(LoadProcess.FAILED, run());
    String said = "cannot connect to " + environment.get("RINGSIDE_ENDPOINTS") + ": ";
    assertTrue(err.toString().contains(said), err::toString);
  }

  @Test
  void shouldSwitchBetweenServersInWindows() throws Exception {
    assertEquals(0, run(), err::toString);
    try (FakeStore other = new FakeStore()) {
      other.entities.putAll(store.entities);
      order("read", "RINGSIDE_PARAM_MISS_RATIO", "0.5");
      environment.remove("RINGSIDE_OPERATIONS");
      environment.remove("RINGSIDE_ENDPOINTS");
      environment.put("RINGSIDE_ARMS", "a=" + store.endpoint() + ";b=" + other.endpoint());
      environment.put("RINGSIDE_INTERLEAVE", "windows");
      environment.put("RINGSIDE_WINDOW_MILLIS", "50");
      environment.put("RINGSIDE_WARMUP_SECONDS", "0");
      environment.put("RINGSIDE_DURATION_SECONDS", "1");
      environment.put("RINGSIDE_SEED", "5");
      assertEquals(0, run(), err::toString);
    }
    assertEquals(Set.of("a/READ-st", "b/READ-st"), logged().keySet());
    for (String arm : Set.of("a.", "b.")) {
      assertEquals(
          summary().get(arm + "operations"),
          summary().get(arm + "outcome.hit") + summary().get(arm + "outcome.miss"));
    }
  }

  private void order(String operation, String... more) {
    environment.put("RINGSIDE_OPERATION", operation);
    for (int i = 0; i < more.length; i += 2) {
      environment.put(more[i], more[i + 1]);
    }
  }

  private int run() {
    PrintStream errors = new PrintStream(err, true);
    return LoadProcess.run(
        () -> HttpLoad.run(environment::get, new PrintStream(new ByteArrayOutputStream()), errors),
        errors);
  }

  /** Returns the numbers of the summary that are not 0, without the keys. */
  private Map<String, Integer> summary() throws IOException {
    Properties properties = new Properties();
    properties.load(Files.newBufferedReader(folder.resolve("summary")));
    Map<String, Integer> summary = new HashMap<>();
    properties.forEach(
        (name, count) -> summary.put(name.toString(), Integer.valueOf(count.toString())));
    summary.values().removeIf(count -> count == 0);
    summary.remove("keys");
    return summary;
  }

  /** Returns the operations by tag. */
  private Map<String, Long> logged() throws IOException {
    Map<String, Long> logged = new HashMap<>();
    try (HistogramLogReader reader =
        new HistogramLogReader(Files.newInputStream(folder.resolve("load.hlog")))) {
      for (EncodableHistogram line = reader.nextIntervalHistogram();
          line != null;
          line = reader.nextIntervalHistogram()) {
        logged.merge(line.getTag(), ((Histogram) line).getTotalCount(), Long::sum);
      }
    }
    return logged;
  }
}
