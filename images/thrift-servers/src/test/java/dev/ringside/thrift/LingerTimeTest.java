package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.internal.work.LingerTime;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LingerTimeTest {
  @ParameterizedTest
  @CsvSource({
    "10000, 2048, 1, 10000",
    "10000, 2048, 64, 10000",
    "10000, 2048, 65, 100",
    "10000, 64, 32, 10000",
    "10000, 64, 33, 100",
    "10000, 1, 1, 100",
    "50, 64, 33, 50",
    "0, 64, 1, 0"
  })
  void shouldBeLongAmongFewThreadsOnly(long millis, int max, int threads, long expected) {
    assertEquals(expected, new LingerTime(millis, max, 0).among(threads));
  }

  @ParameterizedTest
  @CsvSource({
    "64, 60000, true",
    "65, 101, false",
    "65, 100, true",
    "65, 0, true",
  })
  void shouldBeWorthItAmongManyThreadsWhereTheLastRequestCameInThatTime(
      int threads, long silence, boolean worthIt) {
    LingerTime time = new LingerTime(10_000, 2048, 0);
    assertEquals(worthIt, time.isWorthIt(threads, TimeUnit.MILLISECONDS.toNanos(silence)));
  }

  @Test
  void shouldEndBeforeAnIdleConnectionIsToBeClosed() {
    assertEquals(200, new LingerTime(10_000, 64, TimeUnit.MILLISECONDS.toNanos(200)).among(1));
    assertEquals(1, new LingerTime(10_000, 64, 1).among(1), "no wait for ever");
    assertEquals(10, new LingerTime(10, 64, TimeUnit.HOURS.toNanos(1)).among(1));
  }

  @Test
  void shouldBeOffAtNoTimeOnly() {
    assertTrue(new LingerTime(0, 64, 1).isOff());
    assertFalse(new LingerTime(1, 64, 1).isOff());
  }
}
