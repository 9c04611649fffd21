package dev.ringside.contract.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class EngineTest {
  @ParameterizedTest
  @CsvSource({"15, 2, 1000000", "150, 2, 10000000", "600, 2, 40000000", "30, 64, 64000000"})
  void shouldTakeNoMoreSamplesThanAFlameGraphNeeds(int seconds, int processors, long nanos) {
    assertEquals(nanos, Engine.interval(seconds, processors));
  }
}
