package dev.ringside.cql.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.ProtocolConstants;
import com.datastax.oss.protocol.internal.ProtocolConstants.ConsistencyLevel;
import com.datastax.oss.protocol.internal.ProtocolConstants.ErrorCode;
import com.datastax.oss.protocol.internal.response.Error;
import com.datastax.oss.protocol.internal.response.error.ReadTimeout;
import com.datastax.oss.protocol.internal.response.error.Unavailable;
import com.datastax.oss.protocol.internal.response.error.WriteTimeout;
import dev.ringside.load.LoadProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CqlLoadTest {
  private static final int KEYS = 300;

  @TempDir Path folder;
  private final Map<String, String> environment = new HashMap<>();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private FakeStore store;

  @BeforeEach
  void orderAFill() throws Exception {
    store = new FakeStore();
    environment.put("RINGSIDE_OPERATION", "write");
    environment.put("RINGSIDE_ENDPOINTS", store.serve(2));
    environment.put("RINGSIDE_OPERATIONS", Integer.toString(KEYS));
    environment.put("RINGSIDE_KEYS", Integer.toString(KEYS));
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
    assertEquals(KEYS, store.writes.size());
    assertEquals(Set.of(1), Set.copyOf(store.writes.values()));
    assertEquals(Set.of(ConsistencyLevel.QUORUM), store.levels);
    assertEquals(
        List.of(
            "CREATE KEYSPACE IF NOT EXISTS keyspace1 WITH replication = {'class':"
                + " 'SimpleStrategy', 'replication_factor': 3}",
            "CREATE TABLE IF NOT EXISTS keyspace1.standard1 (key blob PRIMARY KEY, \"C0\" blob,"
                + " \"C1\" blob, \"C2\" blob, \"C3\" blob, \"C4\" blob) WITH compression ="
                + " {'enabled': false}"),
        List.copyOf(store.statements));
    assertEquals(KEYS, summary("operations"));
    assertEquals(0, summary("errors"));
    assertEquals(Map.of("WRITE-st", (long) KEYS), logged());
  }

  @Test
  void shouldCreateTheTableWithTheOptionsOfTheExperiment() throws Exception {
    environment.put(
        "RINGSIDE_PARAM_TABLE_COMPACTION",
        "{'class': 'UnifiedCompactionStrategy', 'scaling_parameters': 'L4'}");
    environment.put("RINGSIDE_PARAM_TABLE_COMPRESSION", "{'class': 'LZ4Compressor'}");
    environment.put("RINGSIDE_PARAM_TABLE_CACHING", "{'keys': 'NONE'}");
    environment.put("RINGSIDE_PARAM_TABLE_GC_GRACE", "60");
    assertEquals(0, run(), err::toString);
    String table = List.copyOf(store.statements).get(1);
    assertTrue(
        table.endsWith(
            " WITH compression = {'class': 'LZ4Compressor'} AND compaction = {'class':"
                + " 'UnifiedCompactionStrategy', 'scaling_parameters': 'L4'} AND caching = {'keys':"
                + " 'NONE'} AND gc_grace_seconds = 60"),
        table);
  }

  @Test
  void shouldWriteThisPodsShareOnly() throws Exception {
    run(); // the pod with the first keys creates the table
    store.writes.clear();
    environment.put("RINGSIDE_OPERATIONS", "100");
    environment.put("RINGSIDE_KEY_OFFSET", "200");
    environment.put("RINGSIDE_KEY_COUNT", "100");
    assertEquals(0, run(), err::toString);
    assertEquals(100, store.writes.size());
    for (int number = 201; number <= KEYS; number++) {
      assertTrue(store.writes.containsKey(LoadRuns.key(number)));
    }
  }

  @Test
  void shouldReadWhatWasWritten() throws Exception {
    run();
    environment.put("RINGSIDE_OPERATION", "read");
    environment.put("RINGSIDE_TARGET_RATE", "500");
    environment.put("RINGSIDE_PARAM_PAGE_SIZE", "7");
    store.pageSizes.clear();
    assertEquals(0, run(), err::toString);
    assertEquals(KEYS, summary("operations"));
    assertEquals(0, summary("errors"));
    long all = KEYS;
    assertEquals(Map.of("READ-st", all, "READ-rt", all, "READ-wt", all), logged());
    assertEquals(Set.of(7), store.pageSizes);
  }

  @Test
  void shouldCountAMissingOrChangedRowAsAnError() throws Exception {
    run();
    store.rows.remove(LoadRuns.key(7));
    store.rows.get(LoadRuns.key(8)).set(3, ByteBuffer.wrap(new byte[] {1}));
    environment.put("RINGSIDE_OPERATION", "read");
    environment.put("RINGSIDE_PARAM_DISTRIBUTION", "sequential");
    assertEquals(0, run(), err::toString);
    assertEquals(KEYS - 2, summary("operations"));
    assertEquals(2, summary("errors"));
    assertEquals(2, summary("error.wrong"));
    assertTrue(err.toString().contains("it is not there"), err::toString);
    assertTrue(err.toString().contains("column 3 differs"), err::toString);
  }

  @Test
  void shouldMixWritesAndReadsInTheRatio() throws Exception {
    run();
    store.requests.set(0);
    environment.put("RINGSIDE_OPERATION", "mixed");
    environment.put("RINGSIDE_PARAM_RATIO", "write=1,read=3");
    environment.put("RINGSIDE_OPERATIONS", "2000");
    assertEquals(0, run(), err::toString);
    assertEquals(0, summary("errors"));
    assertEquals(2000, summary("outcome.written") + summary("outcome.read"));
    assertEquals(500, summary("outcome.written"), 100);
    assertEquals(Map.of("MIXED-st", 2000L), logged());
  }

  @Test
  void shouldReadSeveralRowsAtOnceAndVerifyEach() throws Exception {
    run();
    environment.put("RINGSIDE_OPERATION", "multiget");
    environment.put("RINGSIDE_PARAM_KEYS_PER_OPERATION", "10");
    environment.put("RINGSIDE_PARAM_DISTRIBUTION", "sequential");
    assertEquals(0, run(), err::toString);
    assertEquals(KEYS, summary("operations"));
    store.rows.remove(LoadRuns.key(7));
    assertEquals(0, run(), err::toString);
    assertEquals(10, summary("error.wrong"), "each row is read by ten operations");
  }

  @Test
  void shouldAskTheNodeThatHasTheKey() throws Exception {
    environment.put("RINGSIDE_OPERATIONS", Integer.toString(4 * KEYS));
    assertEquals(0, run(), err::toString);
    assertTrue(store.askedFor.values().stream().allMatch(nodes -> nodes.size() == 1));
    assertEquals(2, store.askedFor.values().stream().distinct().count());
    environment.put("RINGSIDE_PARAM_TOKEN_AWARE", "false");
    assertEquals(0, run(), err::toString);
    assertTrue(store.askedFor.values().stream().anyMatch(nodes -> nodes.size() == 2));
  }

  static Stream<Arguments> failures() {
    return Stream.of(
        Arguments.of(
            new ReadTimeout("late", ConsistencyLevel.QUORUM, 1, 2, false), "store-timed-out"),
        Arguments.of(
            new WriteTimeout(
                "late", ConsistencyLevel.QUORUM, 1, 2, ProtocolConstants.WriteType.SIMPLE),
            "store-timed-out"),
        Arguments.of(new Unavailable("few", ConsistencyLevel.QUORUM, 2, 1), "unavailable"),
        Arguments.of(new Error(ErrorCode.OVERLOADED, "much"), "unavailable"),
        Arguments.of(new Error(ErrorCode.SERVER_ERROR, "broken"), "store-failed"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void shouldCountWhatTheStoreReportsAndTryNothingTwice(Message failure, String kind)
      throws Exception {
    store.failOneIn(10, failure);
    assertEquals(0, run(), err::toString);
    assertEquals(KEYS, store.requests.get());
    assertEquals(KEYS / 10, summary("errors"));
    assertEquals(KEYS / 10, summary("error." + kind));
    assertEquals(KEYS - KEYS / 10, summary("operations"));
  }

  @Test
  void shouldWaitNoLongerThanTheTimeout() throws Exception {
    run();
    store.fallSilent();
    environment.put("RINGSIDE_OPERATION", "read");
    environment.put("RINGSIDE_OPERATIONS", "8");
    environment.put("RINGSIDE_PARAM_TIMEOUT_MS", "500");
    assertEquals(0, run(), err::toString);
    assertEquals(8, summary("error.timed-out"));
  }

  @Test
  void shouldRejectReadsOfWhatWasNeverWritten() {
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
    String named = "cannot prepare the table at [" + environment.get("RINGSIDE_ENDPOINTS") + "]: ";
    assertTrue(err.toString().contains(named), err::toString);
    assertEquals(1, err.toString().lines().count(), err::toString);
  }

  @Test
  void shouldFailWhenTheServerIsLostUnderLoad() throws Exception {
    assertEquals(0, run(), err::toString);
    environment.put("RINGSIDE_OPERATION", "read");
    environment.remove("RINGSIDE_OPERATIONS");
    environment.put("RINGSIDE_DURATION_SECONDS", "20");
    CompletableFuture<java.lang.Void> stopped =
        CompletableFuture.runAsync(() -> store.awaitRequestsThenClose(500));
    assertEquals(LoadProcess.FAILED, run(), err::toString);
    stopped.join();
    assertTrue(err.toString().contains("all connections to the server are gone"), err::toString);
  }

  @Test
  void shouldCountAnErrorPerThreadWhenANodeIsLostBetweenOperations() throws Exception {
    assertEquals(0, run(), err::toString);
    environment.put("RINGSIDE_OPERATION", "read");
    environment.remove("RINGSIDE_OPERATIONS");
    environment.put("RINGSIDE_DURATION_SECONDS", "3");
    environment.put("RINGSIDE_TARGET_RATE", "200");
    CompletableFuture<java.lang.Void> stopped =
        CompletableFuture.runAsync(() -> store.awaitRequestsThenStopANode(200));
    assertEquals(0, run(), err::toString);
    stopped.join();
    assertTrue(summary("error.broken") >= 8, err::toString);
    assertTrue(err.toString().contains("connections were closed"), err::toString);
  }

  @Test
  void shouldResumeAtOtherNodesWhenOneIsLostOnPurpose() throws Exception {
    assertEquals(0, run(), err::toString);
    environment.put("RINGSIDE_OPERATION", "read");
    environment.remove("RINGSIDE_OPERATIONS");
    environment.put("RINGSIDE_DURATION_SECONDS", "2");
    environment.put("RINGSIDE_FAILOVER", "true");
    CompletableFuture<java.lang.Void> stopped =
        CompletableFuture.runAsync(() -> store.awaitRequestsThenStopANode(500));
    assertEquals(0, run(), err::toString);
    stopped.join();
    assertTrue(summary("operations") > 1000, "operations");
    assertTrue(summary("errors") <= 8, "each thread had at most one operation there");
  }

  @Test
  void shouldMissANodeThatLeftTheRingUnlessNodesAreLostOnPurpose() throws Exception {
    assertEquals(0, run(), err::toString);
    environment.put("RINGSIDE_OPERATION", "read");
    try (ServerSocket nobody = new ServerSocket(0)) {
      environment.merge(
          "RINGSIDE_ENDPOINTS", "127.0.0.1:" + nobody.getLocalPort(), (a, b) -> a + "," + b);
    }
    assertEquals(LoadProcess.FAILED, run(), err::toString);
    assertTrue(err.toString().contains("nodes are up"), err::toString);
    environment.put("RINGSIDE_FAILOVER", "true");
    assertEquals(0, run(), err::toString);
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
  void shouldOpenItsConnectionsAgainBetweenWindows() throws Exception {
    run();
    interleave("windows");
    environment.put("RINGSIDE_RECONNECT_BLOCKS", "3");
    assertEquals(0, run(), err::toString);
    assertEquals(Set.of("a/READ-st", "b/READ-st", "c/READ-st"), logged().keySet());
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

  private void interleave(String mode) {
    environment.remove("RINGSIDE_OPERATIONS");
    String first = environment.remove("RINGSIDE_ENDPOINTS");
    environment.put("RINGSIDE_OPERATION", "read");
    environment.put("RINGSIDE_ARMS", "a=" + first + ";b=" + store.serve(1) + ";c=" + first);
    environment.put("RINGSIDE_INTERLEAVE", mode);
    environment.put("RINGSIDE_WINDOW_MILLIS", "50");
    environment.put("RINGSIDE_WARMUP_SECONDS", "1");
    environment.put("RINGSIDE_DURATION_SECONDS", "2");
    environment.put("RINGSIDE_SEED", "5");
  }

  private int run() {
    return LoadRuns.run(environment, err);
  }

  private long summary(String name) throws IOException {
    return LoadRuns.summary(folder, name);
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
