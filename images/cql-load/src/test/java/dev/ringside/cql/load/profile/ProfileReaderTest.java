package dev.ringside.cql.load.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProfileReaderTest {
  private static final String PROFILE =
      """
      # A comment.
      keyspace: stresscql
      keyspace_definition: |
        CREATE KEYSPACE stresscql WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3};
      table: typestest
      table_definition: |
        CREATE TABLE typestest (
          name text,
          choice boolean,
          date timestamp,
          address inet,
          dbl double,
          lval bigint,
          uid timeuuid,
          value blob,
          PRIMARY KEY((name, choice), date, address)
        ) WITH compaction = { 'class': 'LeveledCompactionStrategy' }
          AND comment='A table of many types'
      columnspec:
        - name: name
          size: uniform(1..10)
          population: uniform(1..1M)
        - name: date
          cluster: uniform(1..4)
        - name: lval
          population: gaussian(1..1000)
      insert:
        partitions: uniform(1..50)
        batchtype: LOGGED
        select: uniform(1..10)/10
      queries:
        simple1:
          cql: select * from typestest where name = ? and choice = ? LIMIT 100
          fields: samerow
        range1:
          cql: select * from typestest where name = ? and choice = ? and date >= ? LIMIT 100
          fields: multirow
      """;

  @Test
  void shouldReadAProfile() throws Exception {
    Profile profile = ProfileReader.read(PROFILE);
    assertEquals("stresscql", profile.keyspace());
    assertEquals("typestest", profile.table().name());
    assertEquals(List.of("name", "choice"), names(profile.partitionKey()));
    assertEquals(List.of("date", "address"), names(profile.clustering()));
    assertEquals(List.of("dbl", "lval", "uid", "value"), names(profile.others()));
    assertEquals(Distribution.uniform(1, 1_000_000), profile.partitionKey().get(0).population());
    assertEquals(Distribution.uniform(1, 4), profile.clustering().get(0).cluster());
    assertEquals(Distribution.uniform(4, 8), profile.others().get(3).size());
    assertEquals(
        new Insert(
            Distribution.of("uniform(1..50)"),
            DefaultBatchType.LOGGED,
            Distribution.of("uniform(1..10)"),
            10),
        profile.insert());
    assertEquals(List.of("simple1", "range1"), List.copyOf(profile.queries().keySet()));
    assertEquals(true, profile.queries().get("simple1").sameRow());
    assertEquals(false, profile.queries().get("range1").sameRow());
  }

  private static List<String> names(List<Column> columns) {
    return columns.stream().map(Column::name).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "uniform(1..1M) | ~exp(1..1M) | line 22: population of columnspec: '~exp(1..1M)' is not",
        "size: uniform(1..10) | length: fixed(3) | line 21: length in columnspec is not supported",
        "name: lval | name: lvl | line 25: columnspec has 'lvl', which is no column",
        "name: lval | name: date | line 25: columnspec has date twice",
        "population: gaussian(1..1000) | cluster: fixed(2) | line 26: lval is no clustering column",
        "batchtype: LOGGED | batchtype: COUNTER | line 29: batchtype 'COUNTER' is not supported",
        "uniform(1..10)/10 | uniform(1..10)/5 | line 30: select of insert: 'uniform(1..10)/5' exceeds",
        "uniform(1..10)/10 | most | line 30: select of insert: 'most' is no share",
        "fields: multirow | fields: anyrow | line 37: fields 'anyrow' of query range1 is not supported",
        "cql: select * from typestest where name = ? and choice = ? and date >= ? LIMIT 100 |"
            + " cql: delete from typestest | line 36: query range1 is no SELECT",
        "lval bigint | lval counter | line 13: column lval has type 'counter'",
        "lval bigint | lval map<text, int> | line 13: column 'lval map<text, int>' is not supported",
        "PRIMARY KEY((name, choice) | PRIMARY KEY((name, chance) | line 7: the PRIMARY KEY has 'chance'",
        "table: typestest | table: test | line 7: table_definition creates 'typestest', and table is",
        "CREATE TABLE typestest | CREATE TABLES | line 7: table_definition is no CREATE TABLE",
        "table: typestest | tables: typestest | ; line 2: table is missing: add it; line 7: table_def",
        "queries: | token_range_queries: | line 32: token_range_queries in the profile is not supported",
        "keyspace: stresscql | keyspace: [a | line 3: the profile is no YAML",
      })
  void shouldRejectWhatIsNotSupportedWithItsLine(String there, String instead, String message) {
    String text = PROFILE.replace(there, instead);
    String said = assertThrows(ProfileException.class, () -> ProfileReader.read(text)).getMessage();
    assertTrue(said.contains(message), said);
  }
}
