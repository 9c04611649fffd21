package dev.ringside.bench.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowTest {
  /** Uses a 99th percentile of 100 µs. */
  @ParameterizedTest
  @CsvSource({
    "0.94, NaN, NaN, false",
    "0.95, NaN, NaN, true",
    "1, 5000, 49, false",
    "0.1, 5000, 50, true"
  })
  void shouldTellWhenTheLoadGeneratorMayHaveBeenTheLimit(
      double busy, double target, double late, boolean bound) {
    Row row =
        Rows.of(
            new Measured(1, "s", Rows.CELL),
            new Throughput(1, 1, Double.NaN, target),
            100,
            new LoadGenerator(busy, 0, late));
    assertEquals(bound, row.clientBound());
  }
}
