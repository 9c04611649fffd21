package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ringside.thrift.internal.metrics.Seldom;
import org.junit.jupiter.api.Test;

final class SeldomTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void shouldSayOnceASecondAndTellWhatWasLeftOut() {
    Seldom seldom = new Seldom(Long.MAX_VALUE - 5);
    assertEquals(0, seldom.ask(Long.MAX_VALUE - 5));
    for (int i = 0; i < 7; i++) {
      assertEquals(-1, seldom.ask(Long.MAX_VALUE + i));
    }
    assertEquals(7, seldom.ask(Long.MAX_VALUE - 5 + SECOND));
    assertEquals(0, seldom.ask(Long.MAX_VALUE - 5 + 3 * SECOND));
  }
}
