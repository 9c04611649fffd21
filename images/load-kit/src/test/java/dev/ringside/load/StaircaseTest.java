package dev.ringside.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StaircaseTest {
  private static final int MANY_STEPS = 200;

  /** What was tried (a rate, + for kept, - for not) and what comes next; 0 is the end. */
  @ParameterizedTest
  @CsvSource({
    "'', 1000",
    "1000+, 2000",
    "1000+ 2000+, 4000",
    "1000-, 500",
    "1000- 500-, 250",
    "1000+ 2000-, 1414", // the first turn: the stride is the root of 2 from here on
    "1000+ 2000- 1414+, 1682",
    "1000+ 2000- 1414-, 1000",
    "1000+ 2000- 1414+ 1682+ 2000-, 1834",
    "8000+ 10000+, 0", // nowhere left to go
    "2- 1-, 0"
  })
  void shouldChooseTheNextRateByWhatWasTried(String tried, int next) {
    assertEquals(next, new Staircase(1000, 10_000, 0.05).next(tries(tried)));
  }

  @Test
  void shouldMakeLongerStridesWhenItWentAstray() {
    Staircase search = new Staircase(1000, 1_000_000, 0.05);
    // One spoilt step at 2000 where the capacity is far beyond: four more steps up, and strides
    // grow.
    assertEquals(2378, search.next(tries("1000+ 2000- 1414+ 1682+ 2000+")), "in strides of 1.19");
    assertEquals(3363, search.next(tries("1000+ 2000- 1414+ 1682+ 2000+ 2378+")), "of 1.41");
  }

  @ParameterizedTest
  @CsvSource({"1", "7", "300", "999", "1000", "1001", "5000", "123456", "9000000"})
  void shouldFindACapacityWithoutNoise(int capacity) {
    Staircase search = new Staircase(1000, Integer.MAX_VALUE, 0.05);
    List<Try> tries = search(search, rate -> rate <= capacity);
    assertTrue(search.done(tries));
    // A rate is a whole number: below 20 the next one is further away than the finest stride.
    assertEquals(capacity, search.capacity(tries), Math.max(0.05 * capacity, 0.75));
    assertTrue(tries.size() < 40, tries.size() + " steps");
  }

  /** A store that ends a compaction, say: what was found before is no turn of the new capacity. */
  @Test
  void shouldCountTheFinestTurnsOfOneTrailOnly() {
    int capacity = 300;
    Staircase search = new Staircase(1000, Integer.MAX_VALUE, 0.05);
    // Its last step is the fourth turn of the finest stride: a miss, as the first rate was too
    // high.
    List<Try> tries = search(search, rate -> rate <= capacity);
    tries.remove(tries.size() - 1);
    assertTrue(tries.get(tries.size() - 1).kept());
    assertFalse(search.done(tries));
    goOn(search, tries, rate -> rate <= 2 * capacity);
    assertTrue(search.done(tries));
    assertEquals(2 * capacity, search.capacity(tries), 0.05 * 2 * capacity);
  }

  @Test
  void shouldSayWhenAllRatesWereKeptOrNone() {
    Staircase search = new Staircase(1000, 50_000, 0.05);
    List<Try> all = search(search, rate -> true);
    assertEquals(50_000, search.capacity(all));
    assertTrue(search.done(all));
    List<Try> none = search(search, rate -> false);
    assertEquals(0, search.capacity(none));
    assertTrue(search.done(none));
  }

  @Test
  void shouldGiveWhatItKnowsWhenItsTimeIsUp() {
    Staircase search = new Staircase(1000, 50_000, 0.05);
    assertEquals(0, search.capacity(tries("")));
    assertEquals(4000, search.capacity(tries("1000+ 2000+ 4000+")));
    assertEquals(Math.sqrt(2000 * 4000), search.capacity(tries("1000+ 2000+ 4000-")), 1);
    assertFalse(search.done(tries("1000+ 2000+ 4000-")));
  }

  /**
   * Steps keep or miss by chance: with a probability that falls from 90% to 10% over a third of the
   * rate, and one in twenty is spoilt by the machine whatever its rate is.
   */
  @Test
  void shouldFindTheRateThatHalfOfTheStepsKeepInNoise() {
    int capacity = 5000;
    int runs = 2000;
    Staircase search = new Staircase(1000, 1_000_000, 0.05);
    double sumOfLogs = 0;
    int wide = 0;
    int steps = 0;
    for (int run = 0; run < runs; run++) {
      Random random = new Random(run);
      List<Try> tries = search(search, rate -> keeps(rate, capacity, random));
      assertTrue(search.done(tries));
      double off = Math.log(search.capacity(tries) / capacity);
      sumOfLogs += off;
      wide += Math.abs(off) > 0.2 ? 1 : 0;
      steps += tries.size();
    }
    double bias = sumOfLogs / runs;
    String found =
        String.format("bias %.3f, %d of %d off by a fifth, %d steps", bias, wide, runs, steps);
    // Spoilt steps lower the rate that half of the steps keep by about a hundredth.
    assertEquals(0, bias, 0.03, found);
    assertTrue(wide < runs / 10, found);
    assertTrue(steps < 30 * runs, found);
  }

  private static boolean keeps(int rate, int capacity, Random random) {
    double slope = 13; // logistic: from 90% to 10% over a third of the rate
    double probability = 1 / (1 + Math.pow((double) rate / capacity, slope));
    return random.nextInt(20) > 0 && random.nextDouble() < probability;
  }

  private static List<Try> search(Staircase search, IntPredicate keeps) {
    List<Try> tries = new ArrayList<>();
    goOn(search, tries, keeps);
    return tries;
  }

  private static void goOn(Staircase search, List<Try> tries, IntPredicate keeps) {
    for (int rate = search.next(tries);
        rate > 0 && tries.size() < MANY_STEPS;
        rate = search.next(tries)) {
      tries.add(new Try(rate, keeps.test(rate)));
    }
  }

  private static List<Try> tries(String text) {
    List<Try> tries = new ArrayList<>();
    Arrays.stream(text.split(" "))
        .filter(each -> !each.isEmpty())
        .forEach(
            each -> {
              int end = each.length() - 1;
              tries.add(new Try(Integer.parseInt(each.substring(0, end)), each.charAt(end) == '+'));
            });
    return tries;
  }
}
