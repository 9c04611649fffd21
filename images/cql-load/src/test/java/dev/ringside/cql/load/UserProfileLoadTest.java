package dev.ringside.cql.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.protocol.internal.ProtocolConstants.DataType;
import dev.ringside.load.LoadFixture;
import dev.ringside.load.LoadProcess;
import java.nio.file.Path;
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
  private LoadFixture load;
  private FakeStore store;

  @BeforeEach
  void orderAFill() throws Exception {
    store = new FakeStore();
    store.types.putAll(
        Map.of("id", DataType.BIGINT, "place", DataType.INT, "name", DataType.VARCHAR));
    load =
        new LoadFixture(folder, CqlLoad::run)
            .with("RINGSIDE_OPERATION", "user", "RINGSIDE_PARAM_PROFILE", PROFILE)
            .with("RINGSIDE_PARAM_OPS", "ops(insert=1)", "RINGSIDE_OPERATIONS", "50")
            .with("RINGSIDE_KEYS", "100", "RINGSIDE_ENDPOINTS", store.serve(1))
            .with("RINGSIDE_REPLICATION_FACTOR", "3");
  }

  @AfterEach
  void stop() {
    store.close();
  }

  @Test
  void shouldFillAllPartitionsOnceInBatches() throws Exception {
    load.succeed();
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
    assertEquals(50, load.summary("outcome.insert"));
  }

  @Test
  void shouldQueryWhatItInserted() throws Exception {
    load.succeed();
    load.with("RINGSIDE_PARAM_OPS", "ops(one=1,all_places=1)");
    load.with("RINGSIDE_OPERATIONS", "200");
    load.succeed();
    assertEquals(200, load.summary("outcome.one") + load.summary("outcome.all-places"));
    assertTrue(load.summary("outcome.one") > 50, "one");
  }

  @Test
  void shouldCountQueriesThatFindNothing() throws Exception {
    load.succeed();
    store.rows.clear();
    load.with("RINGSIDE_PARAM_OPS", "ops(one=1)");
    load.succeed();
    assertEquals(50, load.summary("outcome.one-empty"));
  }

  @Test
  void shouldRejectWhatIsNotSupportedWithItsLineBeforeAnythingStarts() {
    load.with("RINGSIDE_PARAM_PROFILE", PROFILE.replace("seq(1..1000)", "extreme(1..9)"));
    load.endWith(LoadProcess.BAD_ORDERS, "line 11: population of columnspec: 'extreme(1..9)'");
    assertEquals(1, load.errors().lines().count());
    assertEquals(0, store.statements.size());
  }

  @Test
  void shouldRejectAProfileThatIsIncompleteForItsOperation() {
    load.with("RINGSIDE_PARAM_OPS", "ops(insert=1,two=3)");
    load.with("RINGSIDE_PARAM_TABLE_GC_GRACE", "60");
    load.endWith(
        LoadProcess.BAD_ORDERS,
        "RINGSIDE_PARAM_OPS has 'two': the profile has all_places, insert",
        "an option of the table is set");
    load.without("RINGSIDE_PARAM_PROFILE");
    load.endWith(LoadProcess.BAD_ORDERS, "RINGSIDE_PARAM_PROFILE is empty");
  }

  @Test
  void shouldRejectAnotherReplicationFactorThanTheStores() {
    load.with(
        "RINGSIDE_PARAM_PROFILE",
        PROFILE
            + "keyspace_definition: |\n  CREATE KEYSPACE keyspace1 WITH replication = {'class':"
            + " 'SimpleStrategy', 'replication_factor': 1};\n");
    load.endWith(LoadProcess.BAD_ORDERS, "line 18: keyspace_definition has replication_factor 1");
  }

  @Test
  void shouldRejectAVariableThatIsNoColumn() {
    load.with(
        "RINGSIDE_PARAM_PROFILE", PROFILE.replace("WHERE id = ?\"", "WHERE id = ? LIMIT ?\""));
    load.with("RINGSIDE_PARAM_OPS", "ops(insert=1,all_places=1)");
    load.endWith(LoadProcess.BAD_ORDERS, "line 17: query all_places has a variable for 'LIMIT'");
  }
}
