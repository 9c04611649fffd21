package dev.ringside.cql.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.protocol.internal.ProtocolConstants.ErrorCode;
import com.datastax.oss.protocol.internal.response.Error;
import dev.ringside.load.LoadProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One load on two rings: a and c are one server of the first, b is the second. */
class SideBySideTest {
  @TempDir Path folder;
  private final Map<String, String> environment = new HashMap<>();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private FakeStore first;
  private FakeStore second;
  private String endpointsOfFirst;
  private String endpointsOfSecond;

  @BeforeEach
  void startTwoRings() throws Exception {
    first = new FakeStore();
    second = new FakeStore(9);
    endpointsOfFirst = first.serve(2);
    endpointsOfSecond = second.serve(3);
    environment.put("RINGSIDE_KEYS", "1000000"); // more than are written
    environment.put("RINGSIDE_THREADS", "8");
    environment.put("RINGSIDE_CONSISTENCY", "QUORUM");
    environment.put("RINGSIDE_REPLICATION_FACTOR", "1");
    environment.put("RINGSIDE_HLOG", folder.resolve("load.hlog").toString());
    environment.put("RINGSIDE_SUMMARY", folder.resolve("summary").toString());
    environment.put("RINGSIDE_BASELINE", "a");
    environment.put("RINGSIDE_WINDOW_MILLIS", "50");
    environment.put("RINGSIDE_WARMUP_SECONDS", "0");
    environment.put("RINGSIDE_DURATION_SECONDS", "2");
    environment.put("RINGSIDE_SEED", "5");
    environment.put("RINGSIDE_INTERLEAVE", "windows");
    environment.put("RINGSIDE_OPERATION", "write");
    drive(endpointsOfFirst, endpointsOfSecond);
  }

  private void drive(String ofFirst, String ofSecond) {
    environment.put("RINGSIDE_ARMS", "a=" + ofFirst + ";b=" + ofSecond + ";c=" + ofFirst);
  }

  @AfterEach
  void stop() {
    first.close();
    second.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"windows", "duet"})
  void shouldWriteTheSameRowsToEachRing(String mode) throws Exception {
    environment.put("RINGSIDE_INTERLEAVE", mode);
    assertEquals(0, run(), err::toString);
    for (FakeStore ring : List.of(first, second)) {
      assertEquals(2, ring.statements.size(), "a keyspace and a table, once");
      assertEquals(Set.of(1), Set.copyOf(ring.writes.values()), "no row twice");
      for (int number = 1; number <= ring.writes.size(); number++) {
        String gap = "row " + number + " is not among the " + ring.writes.size() + " rows";
        assertTrue(ring.writes.containsKey(LoadRuns.key(number)), gap);
      }
    }
    assertTrue(first.rows.size() > 10 && second.rows.size() > 10);
    second.rows.forEach(
        (key, row) -> {
          if (first.rows.containsKey(key)) {
            assertEquals(first.rows.get(key), row);
          }
        });
    assertEquals(second.requests.get(), summary("b.operations"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"windows", "duet"})
  void shouldSendEachRingTheOperationsOfItsServersOnly(String mode) throws Exception {
    fillBoth();
    environment.put("RINGSIDE_INTERLEAVE", mode);
    environment.put("RINGSIDE_OPERATION", "mixed");
    assertEquals(0, run(), err::toString);
    List<String> ofFirst = mode.equals("duet") ? List.of("a@b", "a@c", "c") : List.of("a", "c");
    long operations = 0;
    for (String label : ofFirst) {
      assertEquals(0, summary(label + ".errors"), err::toString);
      operations += summary(label + ".operations");
    }
    assertEquals(first.requests.get(), operations);
    assertEquals(second.requests.get(), summary("b.operations"));
    assertEquals(0, summary("b.errors"), err::toString);
  }

  @Test
  void shouldNameTheServerOnWhoseRingTheTableIsMissing() throws Exception {
    fill(endpointsOfFirst);
    environment.put("RINGSIDE_OPERATION", "read");
    assertEquals(LoadProcess.BAD_ORDERS, run());
    assertTrue(
        err.toString().contains("/load: b: the table keyspace1.standard1 is not there"),
        err::toString);
  }

  @Test
  void shouldNameTheServerThatRejectsTheTable() {
    second.rejectTables(
        new Error(ErrorCode.CONFIG_ERROR, "Unable to find compaction strategy class"));
    assertEquals(LoadProcess.BAD_ORDERS, run());
    assertTrue(
        err.toString().contains("/load: b: the store rejects the table: Unable to find compaction"),
        err::toString);
  }

  @Test
  void shouldMissANodeOfOneRing() throws Exception {
    fillBoth();
    environment.put("RINGSIDE_OPERATION", "read");
    try (ServerSocket nobody = new ServerSocket(0)) {
      drive(endpointsOfFirst, endpointsOfSecond + ",127.0.9.200:" + nobody.getLocalPort());
    }
    assertEquals(LoadProcess.FAILED, run(), err::toString);
    assertTrue(err.toString().contains("3 of 4 nodes are up"), err::toString);
  }

  private void fillBoth() {
    environment.put("RINGSIDE_KEYS", "200");
    fill(endpointsOfFirst);
    fill(endpointsOfSecond);
    first.requests.set(0);
    second.requests.set(0);
  }

  /** Writes all rows of a ring, as a phase of one server does. */
  private void fill(String endpoints) {
    environment.put("RINGSIDE_KEYS", "200");
    Map<String, String> interleaved = new HashMap<>(environment);
    environment.remove("RINGSIDE_ARMS");
    environment.remove("RINGSIDE_DURATION_SECONDS");
    environment.put("RINGSIDE_ENDPOINTS", endpoints);
    environment.put("RINGSIDE_OPERATIONS", "200");
    assertEquals(0, run(), err::toString);
    environment.clear();
    environment.putAll(interleaved);
  }

  private int run() {
    return LoadRuns.run(environment, err);
  }

  private long summary(String name) throws IOException {
    return LoadRuns.summary(folder, name);
  }
}
