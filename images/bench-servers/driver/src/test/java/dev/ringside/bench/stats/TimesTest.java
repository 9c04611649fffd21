package dev.ringside.bench.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.bench.wire.HistogramText;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class TimesTest {
  private static final double CLOSE = 1e-6;

  @Test
  void shouldReadPercentilesAsTheHistogramDoes() {
    Histogram histogram = new Histogram(60_000_000_000L, 3);
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 50_000; i++) {
      histogram.recordValue((long) Math.exp(10 + 6 * random.nextDouble()));
    }
    Times times = Times.of(histogram);
    assertEquals(50_000, times.count());
    assertEquals(histogram.getValueAtPercentile(50) / 1000.0, times.p50(), CLOSE);
    assertEquals(histogram.getValueAtPercentile(99) / 1000.0, times.p99(), CLOSE);
    assertEquals(histogram.getValueAtPercentile(99.9) / 1000.0, times.p999(), CLOSE);
    assertEquals(histogram.getMaxValue() / 1000.0, times.max(), CLOSE);
    assertEquals(histogram, HistogramText.parse(times.text()));
  }

  @Test
  void shouldCountUpToALimit() {
    Times times = Times.of(10, 20, 30);
    assertEquals(0, times.countUpTo(9));
    assertEquals(1, times.countUpTo(10));
    assertEquals(2, times.countUpTo(29));
    assertEquals(3, times.countUpTo(1000));
  }

  @Test
  void shouldHaveNoTimesWithoutRequests() {
    assertTrue(Double.isNaN(Times.NONE.p50()));
    assertTrue(Double.isNaN(Times.of(new Histogram(1000, 3)).max()));
    assertEquals(0, Times.NONE.countUpTo(5));
  }
}
