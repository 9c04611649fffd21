package dev.ringside.cql.load.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DistributionTest {
  private static final int DRAWS = 100_000;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "FIXED(7) | 7 | 7 | 7 | 0",
        "uniform(1..1000) | 1 | 1000 | 500.5 | 288.7",
        "GAUSSIAN(1..1000) | 1 | 1000 | 500.5 | 166",
        "gaussian(1..1000,5) | 1 | 1000 | 500.5 | 99.9",
        "normal(1..1000,400,50) | 1 | 1000 | 400 | 50",
        // The mean of an exponential distribution over 1..1000 is 999 / (ln 999 / 2) from 1 on.
        "EXP(1..1000) | 1 | 1000 | 281 | 260",
        "seq(1..1K) | 1 | 1000 | 500.5 | 288.7",
      })
  void shouldDrawWithinItsBounds(String text, long min, long max, double mean, double deviation) {
    Distribution distribution = Distribution.of(text);
    SplittableRandom random = new SplittableRandom(1);
    long[] drawn = LongStream.range(0, DRAWS).map(i -> distribution.draw(random, i)).toArray();
    assertTrue(LongStream.of(drawn).allMatch(each -> each >= min && each <= max));
    double average = LongStream.of(drawn).average().orElseThrow();
    double square =
        LongStream.of(drawn)
            .mapToDouble(each -> (each - average) * (each - average))
            .average()
            .orElseThrow();
    assertEquals(mean, average, 5);
    assertEquals(deviation, Math.sqrt(square), 5);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "extreme(1..10,2)",
        "~exp(1..10)",
        "fixed(1..2)",
        "uniform(3)",
        "uniform(5..1)",
        "uniform(1..10,3)",
        "10",
        ""
      })
  void shouldRejectWhatIsNotSupported(String text) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> Distribution.of(text)).getMessage();
    assertTrue(message.startsWith("'" + text + "' is "), message);
  }
}
