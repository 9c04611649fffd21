package dev.ringside.gps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.load.LoadFixture;
import dev.ringside.load.LoadProcess;
import dev.ringside.trip.store.TripStore;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests load, broker and store over loopback. */
@Timeout(300)
class KafkaTest {
  @TempDir static Path brokersFolder;
  private static Broker broker;
  @TempDir Path folder;
  private final Map<String, String> environment = new HashMap<>();
  private int rocksdb;
  private int heap;
  private int metrics;
  private LoadFixture load;

  @BeforeAll
  static void start() throws Exception {
    broker = Broker.start(brokersFolder, "rocksdb", "heap");
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @BeforeEach
  void begin() throws Exception {
    rocksdb = FreePorts.next();
    heap = FreePorts.next();
    metrics = FreePorts.next();
    environment.put("RINGSIDE_SERVERS", String.format("rocksdb:%d,heap:%d", rocksdb, heap));
    environment.put("RINGSIDE_DATA", folder.resolve("data").toString());
    environment.put("RINGSIDE_HEALTH_PORT", Integer.toString(FreePorts.next()));
    environment.put("RINGSIDE_METRICS_PORT", Integer.toString(metrics));
    environment.put("RINGSIDE_COUNTERS_PORT", "0");
    environment.put("RINGSIDE_KAFKA_BROKERS", broker.address());
    load = LoadRun.in(folder).with("RINGSIDE_PARAM_TRANSPORT", "kafka");
  }

  @Test
  void shouldGetEveryTripBackThatWentThroughTheTopic() throws Exception {
    try (TripStore store = TripStore.of(environment::get, line -> {})) {
      load.with("RINGSIDE_ENDPOINTS", "127.0.0.1:" + rocksdb).with("RINGSIDE_OPERATIONS", "20000");
      load.succeed();
      assertEquals(Map.of("operations", 20_000L, "outcome.kept", 20_000L), load.summary());
      assertEquals(20_000, told("ringside_trip_feed_records_total", "rocksdb"));
      assertEquals(20_000, told("ringside_trip_points_total", "rocksdb"));
      assertEquals(0, told("ringside_trip_repeated_points_total", "rocksdb"), "each came once");
      assertEquals(0, told("ringside_trip_gaps_total", "rocksdb"));
      assertEquals(0, told("ringside_trip_feed_records_total", "heap"), "it has its own topic");
    }
    // The offsets of stored points are committed, so another process continues after them.
    try (TripStore store = TripStore.of(environment::get, line -> {})) {
      LoadFixture next =
          LoadRun.in(folder)
              .with("RINGSIDE_PARAM_TRANSPORT", "kafka")
              .with("RINGSIDE_ENDPOINTS", "127.0.0.1:" + rocksdb, "RINGSIDE_DURATION_SECONDS", "1")
              .with("RINGSIDE_TARGET_RATE", "2000");
      next.succeed();
      assertTrue(next.summary("operations") > 0);
      assertEquals(
          next.summary("operations"), next.logged().get("point-rt"), "from when it was due");
      assertEquals(next.summary("operations"), told("ringside_trip_feed_records_total", "rocksdb"));
      assertEquals(0, told("ringside_trip_feed_lag", "rocksdb"));
    }
  }

  @Test
  void shouldRefuseAStoreThatTakesNothingFromATopic() throws Exception {
    environment.remove("RINGSIDE_KAFKA_BROKERS");
    try (TripStore store = TripStore.of(environment::get, line -> {})) {
      load.with("RINGSIDE_ENDPOINTS", "127.0.0.1:" + heap).with("RINGSIDE_OPERATIONS", "50");
      load.endWith(LoadProcess.FAILED, "the server takes no points from a topic");
    }
  }

  private long told(String name, String server) throws Exception {
    String page =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + metrics + "/metrics"))
                    .build(),
                BodyHandlers.ofString())
            .body();
    String series = name + "{server=\"" + server + "\"} ";
    return page.lines()
        .filter(line -> line.startsWith(series))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(series.length())))
        .findFirst()
        .orElseThrow(() -> new AssertionError(series + "is not told:\n" + page));
  }
}
