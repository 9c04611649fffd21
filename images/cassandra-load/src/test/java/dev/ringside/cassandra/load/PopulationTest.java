package dev.ringside.cassandra.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The expected values were printed by the generators of cassandra-stress 3.11.5. */
class PopulationTest {
  @ParameterizedTest
  @CsvSource({
    "1, 0P37709P21, 85182fdfe7f86306cd58ce81aa53cca24c193841d6ae8a91646a4c304dd9f47892f9,"
        + " 1f5c9f8c30a62ce4815e936de814514ea33ed4d85fa33f90222d58a5a0a49b38d2fe",
    "2, O8LK79LO61, b8e05320cd1037d6e317cce868ca7f9e679cf764169e9d0b3f5b2c0ffc3cb50dd5c4,"
        + " 440b1bdefbc9932ec91daa7fbe985e951fd425c9ab069c4d9a398b1444984097f7c1",
    "1000000, 0PMNL82P31, 185f8a309ff37d639492552766f10051f4906f856e162373445800a35763cf8fed30,"
        + " f7e2d67d0d8b75ee379e57180bbf0a760df396a59c3bdc496147288152cbea3e344a",
  })
  void shouldMakeTheKeysAndColumnsOfCassandraStress(
      long number, String key, String first, String second) {
    Population population = new Population(2, 34);
    byte[] made = population.key(number);
    assertEquals(key, new String(made, StandardCharsets.US_ASCII));
    byte[][] values = population.values(made);
    assertEquals(first, HexFormat.of().formatHex(values[0]));
    assertEquals(second, HexFormat.of().formatHex(values[1]));
  }

  /** Long enough that the generator of cassandra-stress is seeded again. */
  @ParameterizedTest
  @CsvSource({"1, 28642203, bcf5d4e9", "2, 0577ebe0, c151d07d", "1000000, 1a9e798f, 95e8d9ef"})
  void shouldMakeTheLongColumnsOfCassandraStress(long number, String first, String second) {
    Population population = new Population(2, 300);
    byte[][] values = population.values(population.key(number));
    assertEquals(first, checksum(values[0]));
    assertEquals(second, checksum(values[1]));
  }

  @Test
  void shouldTellGeneratorsApartAsCassandraStressDoes() {
    assertEquals(-8411795920476638003L, Salt.of("randomstrC10"));
  }

  @Test
  void shouldNameColumnsInCassandrasOrder() {
    assertEquals(
        List.of("C0", "C1", "C10", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9"),
        Population.names(11));
  }

  @Test
  void shouldMakeAsManyKeysAsNumbers() {
    Population population = new Population(1, 1);
    Set<String> keys = new HashSet<>();
    for (int number = 1; number <= 20_000; number++) {
      keys.add(new String(population.key(number), StandardCharsets.US_ASCII));
    }
    assertEquals(20_000, keys.size());
  }

  private static String checksum(byte[] value) {
    CRC32 sum = new CRC32();
    sum.update(value);
    return String.format("%08x", sum.getValue());
  }
}
