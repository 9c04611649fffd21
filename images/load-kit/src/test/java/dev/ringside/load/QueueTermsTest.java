package dev.ringside.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueueTermsTest {
  private static final Reading READING =
      new Reading(
          Arrays.asList(
              Map.of("received", 100L, "sent", 7L, "done", 60L),
              Map.of("received", 10L, "sent", 1L, "done", 10L)));

  @ParameterizedTest
  @CsvSource({
    "received-done, 40",
    "received - done, 40",
    "received, 110",
    "received+sent-done, 48",
    "sent-done-received, -172"
  })
  void shouldAddUpAllPods(String text, long length) throws Exception {
    assertEquals(length, QueueTerms.of(text).in(READING));
  }

  @Test
  void shouldNameACounterThatAPodDoesNotTell() {
    Reading half = new Reading(Arrays.asList(Map.of("a", 1L, "b", 1L), Map.of("a", 1L)));
    LoadFailedException fault =
        assertThrows(LoadFailedException.class, () -> QueueTerms.of("a-b").in(half));
    assertTrue(fault.getMessage().contains("do not tell b,"), fault::getMessage);
  }

  @ParameterizedTest
  @CsvSource({"''", "-done", "received-", "Received", "received*done", "a-a"})
  void shouldRefuseWhatMakesNoQueue(String text) {
    assertThrows(IllegalArgumentException.class, () -> QueueTerms.of(text));
  }
}
