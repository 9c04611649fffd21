package dev.ringside.cql.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.protocol.internal.ProtocolConstants.ErrorCode;
import com.datastax.oss.protocol.internal.response.Error;
import dev.ringside.load.LoadFixture;
import dev.ringside.load.LoadProcess;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
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
  private LoadFixture load;
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
    load =
        new LoadFixture(folder, CqlLoad::run)
            .with("RINGSIDE_KEYS", "1000000", "RINGSIDE_THREADS", "8") // more than are written
            .with("RINGSIDE_CONSISTENCY", "QUORUM", "RINGSIDE_OPERATION", "write");
    drive("windows", endpointsOfSecond);
  }

  private void drive(String mode, String ofSecond) {
    load.interleave(mode, "a=" + endpointsOfFirst + ";b=" + ofSecond + ";c=" + endpointsOfFirst);
  }

  @AfterEach
  void stop() {
    first.close();
    second.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"windows", "duet"})
  void shouldWriteTheSameRowsToEachRing(String mode) throws Exception {
    drive(mode, endpointsOfSecond);
    load.succeed();
    for (FakeStore ring : List.of(first, second)) {
      assertEquals(2, ring.statements.size(), "a keyspace and a table, once");
      assertEquals(Set.of(1), Set.copyOf(ring.writes.values()), "no row twice");
      for (int number = 1; number <= ring.writes.size(); number++) {
        String gap = "row " + number + " is not among the " + ring.writes.size() + " rows";
        assertTrue(ring.writes.containsKey(CqlLoadTest.key(number)), gap);
      }
    }
    assertTrue(first.rows.size() > 10 && second.rows.size() > 10);
    second.rows.forEach(
        (key, row) -> {
          if (first.rows.containsKey(key)) {
            assertEquals(first.rows.get(key), row);
          }
        });
    assertEquals(second.requests.get(), load.summary("b.operations"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"windows", "duet"})
  void shouldSendEachRingTheOperationsOfItsServersOnly(String mode) throws Exception {
    fillBoth();
    drive(mode, endpointsOfSecond);
    load.with("RINGSIDE_OPERATION", "mixed");
    load.succeed();
    List<String> ofFirst = mode.equals("duet") ? List.of("a@b", "a@c", "c") : List.of("a", "c");
    long operations = 0;
    for (String label : ofFirst) {
      assertEquals(0, load.summary(label + ".errors"), load::errors);
      operations += load.summary(label + ".operations");
    }
    assertEquals(first.requests.get(), operations);
    assertEquals(second.requests.get(), load.summary("b.operations"));
    assertEquals(0, load.summary("b.errors"), load::errors);
  }

  @Test
  void shouldNameTheServerOnWhoseRingTheTableIsMissing() throws Exception {
    fill(endpointsOfFirst);
    load.with("RINGSIDE_OPERATION", "read");
    load.endWith(LoadProcess.BAD_ORDERS, "/load: b: the table keyspace1.standard1 is not there");
  }

  @Test
  void shouldNameTheServerThatRejectsTheTable() {
    second.rejectTables(
        new Error(ErrorCode.CONFIG_ERROR, "Unable to find compaction strategy class"));
    load.endWith(LoadProcess.BAD_ORDERS, "/load: b: the store rejects the table: Unable to find");
  }

  @Test
  void shouldMissANodeOfOneRing() throws Exception {
    fillBoth();
    load.with("RINGSIDE_OPERATION", "read");
    try (ServerSocket nobody = new ServerSocket(0)) {
      drive("windows", endpointsOfSecond + ",127.0.9.200:" + nobody.getLocalPort());
    }
    load.endWith(LoadProcess.FAILED, "3 of 4 nodes are up");
  }

  private void fillBoth() {
    fill(endpointsOfFirst);
    fill(endpointsOfSecond);
    first.requests.set(0);
    second.requests.set(0);
  }

  /** Writes all rows of a ring, as a phase of one server does. */
  private void fill(String endpoints) {
    load.with("RINGSIDE_KEYS", "200", "RINGSIDE_OPERATIONS", "200", "RINGSIDE_ENDPOINTS", endpoints)
        .without("RINGSIDE_ARMS", "RINGSIDE_DURATION_SECONDS")
        .succeed();
    drive("windows", endpointsOfSecond);
  }
}
