package dev.ringside.bench.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThroughputTest {
  /** Quick requests before the turn do not show the capacity after it. */
  @ParameterizedTest
  @CsvSource({"5000, NaN, 5000", "5000, 900, 900"})
  void shouldTakeForCapacityWhatItHadSinceHandlersTurned(
      double rate, double turned, double capacity) {
    assertEquals(capacity, new Throughput(1, rate, turned, Double.NaN).capacity());
  }
}
