package dev.ringside.cql.load.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PartitionTest {
  private static final String PROFILE =
      """
      keyspace: k
      table: t
      table_definition: |
        CREATE TABLE t (id bigint, year int, day int, note text, photo blob, PRIMARY KEY (id, year, day))
      columnspec:
        - {name: id, population: seq(1..100)}
        - {name: year, cluster: fixed(3)}
        - {name: day, cluster: uniform(1..5), population: uniform(1..1000)}
        - {name: note, size: fixed(20), population: uniform(1..2)}
        - {name: photo, size: uniform(10..20)}
      """;

  @Test
  void shouldMakeTheSameRowsEachTime() throws Exception {
    Profile profile = ProfileReader.read(PROFILE);
    for (long number = 1; number <= 100; number++) {
      assertEquals(rows(profile, number), rows(profile, number));
    }
  }

  @Test
  void shouldFollowTheDistributions() throws Exception {
    Profile profile = ProfileReader.read(PROFILE);
    Set<Object> keys = new HashSet<>();
    Set<Object> notes = new HashSet<>();
    Set<Integer> counts = new HashSet<>();
    for (long number = 1; number <= 100; number++) {
      Partition partition = new Partition(profile, number);
      counts.add(partition.rows());
      keys.add(partition.value("id", 0));
      Set<List<Object>> clusters = new HashSet<>();
      for (int row = 0; row < partition.rows(); row++) {
        clusters.add(List.of(partition.value("year", row), partition.value("day", row)));
        notes.add(partition.value("note", row));
        assertEquals(20, ((String) partition.value("note", row)).length());
        int size = ((ByteBuffer) partition.value("photo", row)).remaining();
        assertTrue(size >= 10 && size <= 20, "size");
      }
      assertEquals(partition.rows(), clusters.size(), "no row twice");
    }
    assertEquals(100, keys.size());
    assertEquals(2, notes.size());
    assertEquals(Set.of(3, 6, 9, 12, 15), counts);
  }

  @Test
  void shouldMakeAValueOfEachTypeFromANumber() {
    for (ColumnType type : ColumnType.values()) {
      assertEquals(type.value(12_345, 7), type.value(12_345, 7), type.name());
    }
  }

  private static List<Object> rows(Profile profile, long number) {
    Partition partition = new Partition(profile, number);
    return java.util.stream.IntStream.range(0, partition.rows())
        .boxed()
        .flatMap(
            row ->
                profile.table().types().keySet().stream()
                    .map(column -> partition.value(column, row)))
        .toList();
  }
}
