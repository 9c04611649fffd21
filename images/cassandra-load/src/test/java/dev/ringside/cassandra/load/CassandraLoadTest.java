package dev.ringside.cassandra.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.load.LoadFixture;
import dev.ringside.load.LoadProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.cassandra.thrift.ConsistencyLevel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The load with libthrift's own server. */
class CassandraLoadTest {
  @TempDir Path folder;
  private final FakeStore store = new FakeStore();
  private final Population population = new Population(5, 34);
  private LoadFixture load;

  @BeforeEach
  void orderAFill() throws Exception {
    load =
        new LoadFixture(folder, CassandraLoad::run)
            .with("RINGSIDE_OPERATION", "write", "RINGSIDE_OPERATIONS", "500")
            .with("RINGSIDE_KEYS", "500", "RINGSIDE_THREADS", "8")
            .with("RINGSIDE_ENDPOINTS", store.serve() + "," + store.serve())
            .with("RINGSIDE_CONSISTENCY", "QUORUM", "RINGSIDE_REPLICATION_FACTOR", "3");
  }

  @AfterEach
  void stop() {
    store.close();
  }

  @Test
  void shouldFillThePopulationExactlyOnce() throws Exception {
    store.disagree(2);
    load.succeed();
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
    assertEquals(Map.of("operations", 500L), load.summary());
    assertEquals(Map.of("WRITE-st", 500L), load.logged());
    assertTrue(store.requests.values().stream().allMatch(count -> count.get() > 0));
  }

  @Test
  void shouldWriteThisPodsShareOnly() {
    load.succeed(); // the pod with the first keys creates the table
    store.writes.clear();
    load.with("RINGSIDE_OPERATIONS", "100", "RINGSIDE_KEY_OFFSET", "400")
        .with("RINGSIDE_KEY_COUNT", "100")
        .succeed();
    assertEquals(100, store.writes.size());
    for (int number = 401; number <= 500; number++) {
      assertTrue(store.writes.containsKey(key(number)));
    }
  }

  @Test
  void shouldWalkThroughItsKeysAgainWhenThereAreMoreOperations() {
    load.with("RINGSIDE_OPERATIONS", "1000").succeed();
    assertEquals(500, store.writes.size());
    assertEquals(Set.of(2), Set.copyOf(store.writes.values()));
  }

  @Test
  void shouldReadWhatWasWritten() throws Exception {
    load.succeed();
    load.with("RINGSIDE_OPERATION", "read", "RINGSIDE_TARGET_RATE", "2000").succeed();
    assertEquals(Map.of("operations", 500L), load.summary());
    assertEquals(Map.of("READ-st", 500L, "READ-rt", 500L, "READ-wt", 500L), load.logged());
  }

  @Test
  void shouldCountAMissingOrChangedRowAsAnError() throws Exception {
    load.succeed();
    store.rows.remove(key(7));
    store.rows.get(key(8)).put("C3", "something else");
    load.with("RINGSIDE_OPERATION", "read", "RINGSIDE_PARAM_DISTRIBUTION", "sequential")
        .endWith(0, "it is not there", "column 3 differs");
    assertEquals(Map.of("operations", 498L, "errors", 2L, "error.wrong", 2L), load.summary());
  }

  @Test
  void shouldCountWhatTheStoreRefusesAndTryNothingTwice() throws Exception {
    store.failOneIn(10);
    load.endWith(0, "TimedOutException");
    int asked = store.requests.values().stream().mapToInt(count -> count.get()).sum();
    assertEquals(500, asked);
    long errors = load.summary("errors");
    assertTrue(errors >= 48, "errors");
    assertEquals(
        Map.of("operations", 500 - errors, "errors", errors, "error.store-timed-out", errors),
        load.summary());
  }

  @Test
  void shouldRefuseToReadWhatWasNeverWritten() {
    load.with("RINGSIDE_OPERATION", "read")
        .endWith(LoadProcess.BAD_ORDERS, "reads need a write phase before them");
  }

  @Test
  void shouldNameTheServerThatCannotBeReached() throws Exception {
    load.failWithoutServer("cannot prepare the table at ");
  }

  @Test
  void shouldFailWhenTheServerGoesWhileItIsLoaded() {
    load.succeed();
    load.without("RINGSIDE_OPERATIONS")
        .with("RINGSIDE_OPERATION", "read", "RINGSIDE_DURATION_SECONDS", "20");
    CompletableFuture<Void> stopped =
        CompletableFuture.runAsync(() -> store.awaitRequestsThenClose(2_000));
    load.endWith(LoadProcess.FAILED, "all connections to the server are gone");
    stopped.join();
  }

  @ParameterizedTest
  @CsvSource({"windows, a b c", "duet, a@b a@c b c"})
  void shouldLoadSeveralServersInWindows(String mode, String labels) throws Exception {
    load.succeed();
    load.interleave(mode, "a=" + store.serve() + ";b=" + store.serve() + ";c=" + store.serve())
        .with("RINGSIDE_OPERATION", "read")
        .succeed();
    Map<String, Long> logged = load.logged();
    assertEquals(labels.split(" ").length, logged.size(), logged::toString);
    for (String label : labels.split(" ")) {
      assertTrue(logged.get(label + "/READ-st") > 0, label);
      assertEquals(logged.get(label + "/READ-st"), load.summary(label + ".operations"));
      assertEquals(0, load.summary(label + ".errors"));
    }
  }

  private String key(int number) {
    return new String(population.key(number));
  }
}
