package dev.ringside.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScheduleTest {
  private static final int BLOCKS = 600;

  @ParameterizedTest
  @CsvSource({"2, -1", "3, -1", "7, -1", "2, 0", "3, 2", "7, 0"})
  void shouldHoldEveryArmOnceInEachBlock(int count, int baseline) {
    List<Slot> slots = Schedule.of(arms(count), baseline, BLOCKS, 7);
    int cells = baseline < 0 ? count : count - 1;
    assertEquals(BLOCKS * cells, slots.size());
    Set<String> all = labels(slots.subList(0, cells));
    assertEquals(cells, all.size());
    for (int block = 0; block < BLOCKS; block++) {
      assertEquals(all, labels(slots.subList(block * cells, (block + 1) * cells)));
    }
  }

  @Test
  void shouldDependOnTheSeedAlone() {
    assertEquals(order(1), order(1));
    assertNotEquals(order(1), order(2));
  }

  /**
   * Three arms have six orders: each is expected 100 times in 600, within four standard deviations.
   */
  @Test
  void shouldTakeEveryOrderEquallyOften() {
    List<Slot> slots = Schedule.of(arms(3), -1, BLOCKS, 42);
    Map<String, Long> orders =
        IntStream.range(0, BLOCKS)
            .mapToObj(block -> slots.subList(3 * block, 3 * block + 3).toString())
            .collect(Collectors.groupingBy(order -> order, Collectors.counting()));
    assertEquals(6, orders.size());
    orders.values().forEach(times -> assertTrue(Math.abs(times - 100) < 37, orders::toString));
  }

  @Test
  void shouldPutTheBaselineBesideEachOtherArmAndSwapTheirSides() {
    List<Slot> slots = Schedule.of(arms(3), 1, BLOCKS, 42);
    int swapped = 0;
    for (Slot slot : slots) {
      assertEquals(2, slot.sides().size());
      int place = slot.sides().get(0).arm() == 1 ? 0 : 1;
      swapped += 1 - place;
      Side other = slot.sides().get(1 - place);
      assertEquals("arm" + other.arm(), other.label());
      assertEquals("arm1@" + other.label(), slot.sides().get(place).label());
    }
    assertTrue(Math.abs(swapped - BLOCKS) < 70, "swapped " + swapped + " of " + slots.size());
  }

  @Test
  void shouldGiveEachSideOfADuetHalfOfTheThreads() {
    Slot duet = Schedule.of(arms(2), 0, 1, 1).get(0);
    long first = IntStream.range(0, 50).filter(thread -> duet.sideOf(thread, 50) == 0).count();
    assertEquals(25, first);
    Slot alone = Schedule.of(arms(2), -1, 1, 1).get(0);
    assertTrue(IntStream.range(0, 50).allMatch(thread -> alone.sideOf(thread, 50) == 0));
  }

  private static String order(long seed) {
    return Schedule.of(arms(4), -1, 50, seed).toString();
  }

  private static Set<String> labels(List<Slot> slots) {
    return slots.stream()
        .map(slot -> slot.sides().stream().map(Side::label).sorted().toList().toString())
        .collect(Collectors.toSet());
  }

  private static List<Arm> arms(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new Arm("arm" + i, Collections.emptyList()))
        .toList();
  }
}
