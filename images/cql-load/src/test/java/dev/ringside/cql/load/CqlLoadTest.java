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
import dev.ringside.cassandra.load.StressRows;
import dev.ringside.load.LoadFixture;
import dev.ringside.load.LoadProcess;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
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
  private LoadFixture load;
  private FakeStore store;
  private String endpoints;

  @BeforeEach
  void orderAFill() throws Exception {
    store = new FakeStore();
    endpoints = store.serve(2);
    load =
        new LoadFixture(folder, CqlLoad::run)
            .with("RINGSIDE_OPERATION", "write", "RINGSIDE_OPERATIONS", "" + KEYS)
            .with("RINGSIDE_KEYS", "" + KEYS, "RINGSIDE_THREADS", "8")
            .with("RINGSIDE_ENDPOINTS", endpoints)
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
    assertEquals(Map.of("operations", (long) KEYS), load.summary());
    assertEquals(Map.of("WRITE-st", (long) KEYS), load.logged());
  }

  @Test
  void shouldCreateTheTableWithTheOptionsOfTheExperiment() throws Exception {
    load.with(
            "RINGSIDE_PARAM_TABLE_COMPACTION",
            "{'class': 'UnifiedCompactionStrategy', 'scaling_parameters': 'L4'}")
        .with("RINGSIDE_PARAM_TABLE_COMPRESSION", "{'class': 'LZ4Compressor'}")
        .with("RINGSIDE_PARAM_TABLE_CACHING", "{'keys': 'NONE'}")
        .with("RINGSIDE_PARAM_TABLE_GC_GRACE", "60")
        .succeed();
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
    load.succeed(); // the pod with the first keys creates the table
    store.writes.clear();
    load.with("RINGSIDE_OPERATIONS", "100", "RINGSIDE_KEY_OFFSET", "200")
        .with("RINGSIDE_KEY_COUNT", "100")
        .succeed();
    assertEquals(100, store.writes.size());
    for (int number = 201; number <= KEYS; number++) {
      assertTrue(store.writes.containsKey(key(number)));
    }
  }

  @Test
  void shouldReadWhatWasWritten() throws Exception {
    load.succeed();
    load.with("RINGSIDE_OPERATION", "read", "RINGSIDE_TARGET_RATE", "500")
        .with("RINGSIDE_PARAM_PAGE_SIZE", "7");
    store.pageSizes.clear();
    load.succeed();
    assertEquals(Map.of("operations", (long) KEYS), load.summary());
    long all = KEYS;
    assertEquals(Map.of("READ-st", all, "READ-rt", all, "READ-wt", all), load.logged());
    assertEquals(Set.of(7), store.pageSizes);
  }

  @Test
  void shouldCountAMissingOrChangedRowAsAnError() throws Exception {
    load.succeed();
    store.rows.remove(key(7));
    store.rows.get(key(8)).set(3, ByteBuffer.wrap(new byte[] {1}));
    load.with("RINGSIDE_OPERATION", "read", "RINGSIDE_PARAM_DISTRIBUTION", "sequential")
        .endWith(0, "it is not there", "column 3 differs");
    assertEquals(Map.of("operations", KEYS - 2L, "errors", 2L, "error.wrong", 2L), load.summary());
  }

  @Test
  void shouldMixWritesAndReadsInTheRatio() throws Exception {
    load.succeed();
    store.requests.set(0);
    load.with("RINGSIDE_OPERATION", "mixed", "RINGSIDE_PARAM_RATIO", "write=1,read=3")
        .with("RINGSIDE_OPERATIONS", "2000")
        .succeed();
    assertEquals(0, load.summary("errors"));
    assertEquals(2000, load.summary("outcome.written") + load.summary("outcome.read"));
    assertEquals(500, load.summary("outcome.written"), 100);
    assertEquals(Map.of("MIXED-st", 2000L), load.logged());
  }

  @Test
  void shouldReadSeveralRowsAtOnceAndVerifyEach() throws Exception {
    load.succeed();
    load.with("RINGSIDE_OPERATION", "multiget", "RINGSIDE_PARAM_KEYS_PER_OPERATION", "10")
        .with("RINGSIDE_PARAM_DISTRIBUTION", "sequential")
        .succeed();
    assertEquals(KEYS, load.summary("operations"));
    store.rows.remove(key(7));
    load.succeed();
    assertEquals(10, load.summary("error.wrong"), "each row is read by ten operations");
  }

  @Test
  void shouldAskTheNodeThatHasTheKey() throws Exception {
    load.with("RINGSIDE_OPERATIONS", Integer.toString(4 * KEYS)).succeed();
    assertTrue(store.askedFor.values().stream().allMatch(nodes -> nodes.size() == 1));
    assertEquals(2, store.askedFor.values().stream().distinct().count());
    load.with("RINGSIDE_PARAM_TOKEN_AWARE", "false").succeed();
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
    load.succeed();
    assertEquals(KEYS, store.requests.get());
    long errors = KEYS / 10;
    assertEquals(
        Map.of("errors", errors, "error." + kind, errors, "operations", KEYS - errors),
        load.summary());
  }

  @Test
  void shouldWaitNoLongerThanTheTimeout() throws Exception {
    load.succeed();
    store.fallSilent();
    load.with("RINGSIDE_OPERATION", "read", "RINGSIDE_OPERATIONS", "8")
        .with("RINGSIDE_PARAM_TIMEOUT_MS", "500")
        .succeed();
    assertEquals(8, load.summary("error.timed-out"));
  }

  @Test
  void shouldRejectReadsOfWhatWasNeverWritten() {
    load.with("RINGSIDE_OPERATION", "read")
        .endWith(LoadProcess.BAD_ORDERS, "reads need a write phase before them");
  }

  @Test
  void shouldNameTheServerThatCannotBeReached() throws Exception {
    load.failWithoutServer("cannot prepare the table at [");
    assertEquals(1, load.errors().lines().count(), load::errors);
  }

  @Test
  void shouldFailWhenTheServerIsLostUnderLoad() throws Exception {
    load.succeed();
    load.without("RINGSIDE_OPERATIONS")
        .with("RINGSIDE_OPERATION", "read", "RINGSIDE_DURATION_SECONDS", "20");
    CompletableFuture<java.lang.Void> stopped =
        CompletableFuture.runAsync(() -> store.awaitRequestsThenClose(500));
    load.endWith(LoadProcess.FAILED, "all connections to the server are gone");
    stopped.join();
  }

  @Test
  void shouldCountAnErrorPerThreadWhenANodeIsLostBetweenOperations() throws Exception {
    load.succeed();
    load.without("RINGSIDE_OPERATIONS")
        .with("RINGSIDE_OPERATION", "read")
        .with("RINGSIDE_DURATION_SECONDS", "3", "RINGSIDE_TARGET_RATE", "200");
    CompletableFuture<java.lang.Void> stopped =
        CompletableFuture.runAsync(() -> store.awaitRequestsThenStopANode(200));
    load.endWith(0, "connections were closed");
    stopped.join();
    assertTrue(load.summary("error.broken") >= 8, load::errors);
  }

  @Test
  void shouldResumeAtOtherNodesWhenOneIsLostOnPurpose() throws Exception {
    load.succeed();
    load.without("RINGSIDE_OPERATIONS")
        .with("RINGSIDE_OPERATION", "read")
        .with("RINGSIDE_DURATION_SECONDS", "2", "RINGSIDE_FAILOVER", "true");
    CompletableFuture<java.lang.Void> stopped =
        CompletableFuture.runAsync(() -> store.awaitRequestsThenStopANode(500));
    load.succeed();
    stopped.join();
    assertTrue(load.summary("operations") > 1000, "operations");
    assertTrue(load.summary("errors") <= 8, "each thread had at most one operation there");
  }

  @Test
  void shouldMissANodeThatLeftTheRingUnlessNodesAreLostOnPurpose() throws Exception {
    load.succeed();
    try (ServerSocket nobody = new ServerSocket(0)) {
      load.with("RINGSIDE_ENDPOINTS", endpoints + ",127.0.0.1:" + nobody.getLocalPort());
    }
    load.with("RINGSIDE_OPERATION", "read").endWith(LoadProcess.FAILED, "nodes are up");
    load.with("RINGSIDE_FAILOVER", "true").succeed();
  }

  /** SideBySideTest has windows and duets. */
  @Test
  void shouldOpenItsConnectionsAgainBetweenWindows() throws Exception {
    load.succeed();
    String first = store.serve(2);
    load.interleave("windows", "a=" + first + ";b=" + store.serve(1) + ";c=" + first)
        .with("RINGSIDE_OPERATION", "read", "RINGSIDE_RECONNECT_BLOCKS", "3")
        .succeed();
    assertEquals(Set.of("a/READ-st", "b/READ-st", "c/READ-st"), load.logged().keySet());
  }

  /** Returns a key of cassandra-stress' rows. */
  static String key(int number) {
    return new String(new StressRows(5, 34).key(number), StandardCharsets.US_ASCII);
  }
}
