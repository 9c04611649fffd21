package dev.ringside.gps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.load.LoadFixture;
import dev.ringside.trip.store.TripStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the load with the real store over loopback. */
@Timeout(120)
class GpsLoadTest {
  @TempDir Path folder;
  private final Map<String, Integer> ports = new HashMap<>();
  private LoadFixture load;
  private TripStore store;

  @BeforeEach
  void serve() throws IOException {
    Map<String, String> environment = new HashMap<>();
    for (String name : new String[] {"rocksdb", "lmdb", "heap", "health"}) {
      ports.put(name, FreePorts.next());
    }
    environment.put(
        "RINGSIDE_SERVERS",
        String.format(
            "rocksdb:%d,lmdb:%d,heap:%d",
            ports.get("rocksdb"), ports.get("lmdb"), ports.get("heap")));
    environment.put("RINGSIDE_DATA", folder.resolve("data").toString());
    environment.put("RINGSIDE_HEALTH_PORT", ports.get("health").toString());
    environment.put("RINGSIDE_METRICS_PORT", "0");
    environment.put("RINGSIDE_COUNTERS_PORT", "0");
    environment.put("RINGSIDE_MEMTABLE_MIB", "1");
    environment.put("RINGSIDE_MAP_MIB", "256");
    store = TripStore.of(environment::get, line -> {});
    load = LoadRun.in(folder);
  }

  @AfterEach
  void stop() throws IOException {
    store.close();
  }

  /** The load compares the result of every trip that ends; a difference is an error. */
  @ParameterizedTest
  @ValueSource(strings = {"rocksdb", "lmdb", "heap"})
  void shouldGetEveryTripBackAsItWentIn(String server) throws IOException {
    load.with("RINGSIDE_ENDPOINTS", endpoint(server)).with("RINGSIDE_OPERATIONS", "20000");
    load.succeed();
    assertEquals(Map.of("operations", 20_000L, "outcome.kept", 20_000L), load.summary());
    assertEquals(Map.of("point-st", 20_000L), load.logged());
  }

  @Test
  void shouldCountResponseTimesFromWhenPointsWereDue() throws IOException {
    load.with("RINGSIDE_ENDPOINTS", endpoint("heap"), "RINGSIDE_DURATION_SECONDS", "1")
        .with("RINGSIDE_TARGET_RATE", "2000");
    load.succeed();
    assertTrue(load.summary("operations") <= 2_000);
    assertTrue(load.summary("operations") >= 1_000, "and most of them were begun");
    assertEquals(load.summary("operations"), load.logged().get("point-rt"));
    assertEquals(load.summary("operations"), load.logged().get("point-wt"));
  }

  @Test
  void shouldSearchForTheCapacityOfEachServerInTurn() throws IOException {
    load.interleave("windows", "a=" + endpoint("rocksdb") + ";b=" + endpoint("heap"))
        .with("RINGSIDE_DURATION_SECONDS", "4", "RINGSIDE_CAPACITY_PERCENTILE", "50")
        .with("RINGSIDE_CAPACITY_BOUND_MICROS", "5000000", "RINGSIDE_CAPACITY_FROM", "5000")
        .with("RINGSIDE_CAPACITY_TO", "5000", "RINGSIDE_CAPACITY_STEP_MILLIS", "200");
    load.succeed();
    for (String server : new String[] {"a", "b"}) {
      assertEquals(0, load.summary(server + ".errors"));
      assertTrue(load.summary(server + ".operations") > 0);
      assertEquals(0, load.summary(server + ".operations") % 50, "whole packets");
    }
  }

  @Test
  void shouldNameTheServerThatCannotBeReached() throws IOException {
    load.with("RINGSIDE_OPERATIONS", "50").failWithoutServer("cannot connect to ");
  }

  private String endpoint(String server) {
    return "127.0.0.1:" + ports.get(server);
  }
}
