package dev.ringside.bench.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class RunDelayTest {
  @Test
  void shouldReadTheTimeInWaitOfACore() {
    assertEquals(335_741, RunDelay.parse("890909 335741 4\n"));
  }
}
