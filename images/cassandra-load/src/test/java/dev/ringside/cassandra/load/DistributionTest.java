package dev.ringside.cassandra.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DistributionTest {
  private static final int KEYS = 1000;
  private static final int DRAWS = 200_000;

  /** A normal distribution whose third deviation is at the last key; a uniform one of all keys. */
  @ParameterizedTest
  @CsvSource({"gaussian, 166.5, 0.683", "uniform, 288.7, 0.333", "sequential, 288.7, 0.333"})
  void shouldDrawFromAllKeysAsCassandraStressDoes(String id, double deviation, double middle) {
    Random random = new Random(1);
    Distribution distribution = Distribution.of(id);
    long[] drawn =
        LongStream.range(0, DRAWS).map(i -> distribution.draw(random, i, KEYS)).toArray();
    assertTrue(LongStream.of(drawn).allMatch(key -> key >= 1 && key <= KEYS));
    double mean = LongStream.of(drawn).average().orElseThrow();
    double square =
        LongStream.of(drawn)
            .mapToDouble(key -> (key - mean) * (key - mean))
            .average()
            .orElseThrow();
    assertEquals(500, mean, 3);
    assertEquals(deviation, Math.sqrt(square), 3);
    double inMiddle = LongStream.of(drawn).filter(key -> Math.abs(key - 500.5) < 166.5).count();
    assertEquals(middle, inMiddle / DRAWS, 0.01);
  }
}
