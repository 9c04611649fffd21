package dev.ringside.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ShareTest {
  @ParameterizedTest
  @CsvSource({"0,0", "0.05,50000", "0.333333,333333", "1,1000000", "0.000001,1"})
  void shouldTakeExactlyItsShareOfAMillion(String text, long part) {
    assertEquals(part, Share.of(text).of(1_000_000));
  }

  @Test
  void shouldTakeItsShareOfAnHourInNanoseconds() {
    assertEquals(3_600_000_000_000L / 20, Share.of("0.05").of(3_600_000_000_000L));
  }

  @Test
  void shouldKnowThatItIsNone() {
    assertTrue(Share.NONE.isNone());
    assertTrue(Share.of("0.0").isNone());
  }
}
