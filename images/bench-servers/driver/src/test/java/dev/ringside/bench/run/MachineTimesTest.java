package dev.ringside.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class MachineTimesTest {
  private final MachineTimes before = MachineTimes.parse("cpu  10 0 10 80 0 0 0 5 3 0");

  @Test
  void shouldTellTheShareThatOthersHad() {
    assertEquals(new MachineTimes(5, 105), before);
    MachineTimes after = MachineTimes.parse("cpu  60 0 30 90 0 0 0 25 40 0");
    assertEquals(0.2, after.stealSince(before), 1e-9);
  }

  @Test
  void shouldTellNothingOfNoTime() {
    assertTrue(Double.isNaN(before.stealSince(before)));
  }
}
