package dev.ringside.bench.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTest {
  @ParameterizedTest
  @CsvSource({"1000, 100, 100", "3, 1000, 3", "0.5, 1000, 1", "1e6, 2000, 2000000"})
  void shouldHoldWhatFallsIntoTheTime(double perSecond, long millis, long count) {
    assertEquals(count, Schedule.of(0, perSecond, millis).count());
  }

  @Test
  void shouldNotDriftFromTheRate() {
    Schedule schedule = Schedule.of(5, 300_000, 10_000);
    assertEquals(5, schedule.due(0));
    assertEquals(5 + 3_333, schedule.due(1));
    assertEquals(5 + 10_000_000_000L, schedule.due(3_000_000), 1000);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN})
  void shouldRefuseARateThatIsNone(double perSecond) {
    assertThrows(IllegalArgumentException.class, () -> Schedule.of(0, perSecond, 1000));
  }
}
