package dev.ringside.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReadingTest {
  @Test
  void shouldAddUpWhatThePodsCountedSince() {
    Reading before =
        of(Map.of("cpu_ns", 100L, "gc_count", 3L), Map.of("cpu_ns", 5L, "gc_count", 0L));
    Reading after =
        of(Map.of("cpu_ns", 140L, "gc_count", 4L), Map.of("cpu_ns", 6L, "gc_count", 0L));
    assertEquals(Map.of("cpu_ns", 41L, "gc_count", 1L), after.since(before));
  }

  @Test
  void shouldLeaveOutWhatNotEveryPodCounts() {
    Reading before = of(Map.of("cpu_ns", 1L, "cpu_gc_ns", 1L), Map.of("cpu_ns", 1L));
    Reading after =
        of(Map.of("cpu_ns", 2L, "cpu_gc_ns", 2L), Map.of("cpu_ns", 2L, "cpu_gc_ns", 9L));
    assertEquals(Map.of("cpu_ns", 2L), after.since(before));
  }

  @Test
  void shouldNotKnowWhatAPodThatDidNotAnswerCounted() {
    Reading whole = of(Map.of("cpu_ns", 1L), Map.of("cpu_ns", 1L));
    Reading half = of(Map.of("cpu_ns", 2L), null);
    assertNull(half.since(whole));
    assertNull(whole.since(half));
  }

  @Test
  void shouldKnowWhatOtherPodsThanThoseThatDidNotAnswerCounted() {
    Reading before = of(Map.of("cpu_ns", 1L), null, Map.of("cpu_ns", 5L));
    Reading after = of(Map.of("cpu_ns", 3L), null, Map.of("cpu_ns", 9L));
    assertEquals(Map.of("cpu_ns", 6L), after.of(List.of(0, 2)).since(before.of(List.of(0, 2))));
    assertNull(after.of(List.of(0, 1)).since(before.of(List.of(0, 1))));
  }

  @Test
  void shouldNotKnowWhatAPodThatBeganAnewCounted() {
    assertNull(of(Map.of("cpu_ns", 7L)).since(of(Map.of("cpu_ns", 100L))));
  }

  @Test
  void shouldNotKnowAnythingWithoutTheTimeOfTheProcess() {
    assertNull(of(Map.of("cpu_gc_ns", 7L)).since(of(Map.of("cpu_gc_ns", 1L))));
  }

  @SafeVarargs
  @SuppressWarnings("varargs")
  private static Reading of(Map<String, Long>... pods) {
    return new Reading(Arrays.asList(pods));
  }
}
