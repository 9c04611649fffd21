package dev.ringside.bench.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowTest {
  /** With a 99th percentile of 100 us. */
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
        new Row(
            1,
            "s",
            "at-once/1/1/closed",
            "",
            null,
            1,
            1,
            1,
            100,
            1,
            1,
            1,
            1,
            1,
            1,
            1,
            1,
            1,
            busy,
            target,
            late);
    assertEquals(bound, row.clientBound());
  }
}
