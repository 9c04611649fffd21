package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ringside.thrift.internal.loop.LoopSamples;
import org.junit.jupiter.api.Test;

final class LoopSamplesTest {
  private final LoopSamples samples = new LoopSamples(2, 1_000_000);

  @Test
  void shouldTellForWhatShareOfTheLooksALoopWasBusy() {
    for (int i = 0; i < 10; i++) {
      samples.begin();
      samples.busy(0);
      if (i % 2 == 0) {
        samples.busy(1);
      }
    }
    assertEquals(1, samples.share(0));
    assertEquals(0.5, samples.share(1));
  }

  @Test
  void shouldTakeAPauseForLooksAtIdleLoops() {
    samples.begin();
    samples.busy(0);
    samples.leftOut(3_900_000);
    assertEquals(4, samples.looks());
    assertEquals(0.25, samples.share(0));
    samples.leftOut(Long.MAX_VALUE);
    assertEquals(0, samples.share(0), 1e-6);
  }

  @Test
  void shouldKnowNothingOfANewPeriod() {
    samples.begin();
    samples.busy(1);
    samples.clear();
    assertEquals(0, samples.looks());
    assertEquals(0, samples.share(1));
  }
}
