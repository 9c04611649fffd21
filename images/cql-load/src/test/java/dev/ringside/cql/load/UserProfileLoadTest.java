package dev.ringside.cql.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.protocol.internal.ProtocolConstants.DataType;
import dev.ringside.load.LoadProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UserProfileLoadTest {
  private static final String PROFILE =
      """
      keyspace: keyspace1
      table: people
      table_definition: |
        CREATE TABLE people (
          id bigint,
          place int,
          name text,
          PRIMARY KEY (id, place)
        ) WITH compaction = {'class': 'LeveledCompactionStrategy'}
      columnspec:
        - {name: id, population: seq(1..1000)}
        - {name: place, population: seq(1..100), cluster: fixed(3)}
        - {name: name, size: fixed(12)}
      insert: {partitions: fixed(2), batchtype: LOGGED, select: fixed(1)/1}
      queries:
        one: {cql: "SELECT name FROM people WHERE id = ? AND place = ?", fields: samerow}
        all_places: {cql: "SELECT name FROM people WHERE id = ?"}
      """;

  @TempDir Path folder;
  private final Map<String, String> environment = new HashMap<>();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private FakeStore store;

  @BeforeEach
  void orderAFill() throws Exception {
    store = new FakeStore();
    store.types.putAll(
        Map.of("id", DataType.BIGINT, "place", DataType.INT, "name", DataType.VARCHAR));
    environment.put("RINGSIDE_OPERATION", "user");
    environment.put("RINGSIDE_PARAM_PROFILE", PROFILE);
    environment.put("RINGSIDE_PARAM_OPS", "ops(insert=1)");
    environment.put("RINGSIDE_ENDPOINTS", store.serve(1));
    environment.put("RINGSIDE_OPERATIONS", "50");
    environment.put("RINGSIDE_KEYS", "100");
    environment.put("RINGSIDE_THREADS", "4");
    environment.put("RINGSIDE_REPLICATION_FACTOR", "3");
    environment.put("RINGSIDE_HLOG", folder.resolve("load.hlog").toString());
    environment.put("RINGSIDE_SUMMARY", folder.resolve("summary").toString());
  }

  @AfterEach
  void stop() {
    store.close();
  }

  @Test
  void shouldFillAllPartitionsOnceInBatches() throws Exception {
    assertEquals(0, run(), err::toString);
    assertEquals(
        "CREATE TABLE IF NOT EXISTS keyspace1.people (\n"
            + "  id bigint,\n"
            + "  place int,\n"
            + "  name text,\n"
            + "  PRIMARY KEY (id, place)\n"
            + ") WITH compaction = {'class': 'LeveledCompactionStrategy'}",
        List.copyOf(store.statements).get(1));
    assertTrue(List.copyOf(store.statements).get(0).contains("'replication_factor': 3"));
    assertEquals(300, store.writes.size(), "100 partitions of 3 rows");
    assertEquals(Set.of(1), Set.copyOf(store.writes.values()));
    assertEquals(Set.of("0:6"), Set.copyOf(store.batches), "logged, two partitions of 3 rows");
    assertEquals(50, summary("outcome.insert"));
  }

  @Test
  void shouldQueryWhatItInserted() throws Exception {
    run();
    environment.put("RINGSIDE_PARAM_OPS", "ops(one=1,all_places=1)");
    environment.put("RINGSIDE_OPERATIONS", "200");
    assertEquals(0, run(), err::toString);
    assertEquals(200, summary("outcome.one") + summary("outcome.all-places"));
    assertTrue(summary("outcome.one") > 50, "one");
  }

  @Test
  void shouldCountQueriesThatFindNothing() throws Exception {
    run();
    store.rows.clear();
    environment.put("RINGSIDE_PARAM_OPS", "ops(one=1)");
    assertEquals(0, run(), err::toString);
    assertEquals(50, summary("outcome.one-empty"));
  }

  @Test
  void shouldRejectWhatIsNotSupportedWithItsLineBeforeAnythingStarts() {
    environment.put("RINGSIDE_PARAM_PROFILE", PROFILE.replace("seq(1..1000)", "extreme(1..9)"));
    assertEquals(LoadProcess.BAD_ORDERS, run());
    assertEquals(
        "/load: RINGSIDE_PARAM_PROFILE line 11: population of columnspec: 'extreme(1..9)' is not"
            + " supported: use FIXED(n), UNIFORM(a..b), GAUSSIAN(a..b), EXP(a..b) or SEQ(a..b)\n",
        err.toString());
    assertEquals(0, store.statements.size());
  }

  @Test
  void shouldRejectAProfileThatIsIncompleteForItsOperation() {
    environment.put("RINGSIDE_PARAM_OPS", "ops(insert=1,two=3)");
    environment.put("RINGSIDE_PARAM_TABLE_GC_GRACE", "60");
    assertEquals(LoadProcess.BAD_ORDERS, run());
    assertTrue(
        err.toString().contains("RINGSIDE_PARAM_OPS has 'two': the profile has all_places, insert"),
        err::toString);
    assertTrue(err.toString().contains("an option of the table is set"), err::toString);
    environment.remove("RINGSIDE_PARAM_PROFILE");
    assertEquals(LoadProcess.BAD_ORDERS, run());
    assertTrue(err.toString().contains("RINGSIDE_PARAM_PROFILE is empty"), err::toString);
  }

  @Test
  void shouldRejectAnotherReplicationFactorThanTheStores() {
    environment.put(
        "RINGSIDE_PARAM_PROFILE",
        PROFILE
            + "keyspace_definition: |\n  CREATE KEYSPACE keyspace1 WITH replication = {'class':"
            + " 'SimpleStrategy', 'replication_factor': 1};\n");
    assertEquals(LoadProcess.BAD_ORDERS, run());
    assertTrue(
        err.toString().contains("line 18: keyspace_definition has replication_factor 1"),
        err::toString);
  }

  @Test
  void shouldRejectAVariableThatIsNoColumn() {
    environment.put(
        "RINGSIDE_PARAM_PROFILE", PROFILE.replace("WHERE id = ?\"", "WHERE id = ? LIMIT ?\""));
    environment.put("RINGSIDE_PARAM_OPS", "ops(insert=1,all_places=1)");
    assertEquals(LoadProcess.BAD_ORDERS, run(), err::toString);
    assertTrue(
        err.toString().contains("line 17: query all_places has a variable for 'LIMIT'"),
        err::toString);
  }

  private int run() {
    return LoadRuns.run(environment, err);
  }

  private long summary(String name) throws IOException {
    return LoadRuns.summary(folder, name);
  }
}
