package dev.ringside.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.bench.wire.Handler;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanTest {
  @Test
  void shouldMeasureEveryServerOnceInEachCellAndRound() {
    List<Contender> servers = Contender.of(List.of("floor", "hsha", "disruptor", "simple"));
    List<Cell> cells = Cell.parse(List.of("at-once/1/*", "sleep-1ms/16/1"));
    List<Plan.Step> plan = Plan.of(servers, cells, 3, 42);
    // The floor has no handler, and simple serves one connection.
    int perRound = 2 * 4 + 2;
    assertEquals(3 * perRound, plan.size());
    assertEquals(plan.size(), new HashSet<>(plan).size());
    assertEquals(plan, Plan.of(servers, cells, 3, 42));
    assertNotEquals(plan, Plan.of(servers, cells, 3, 43));
  }

  @Test
  void shouldMeasureTheFirstSecondOfEachServerInEachRound() {
    List<Contender> servers = Contender.of(List.of("hsha", "simple"));
    List<Plan.Step> plan = Plan.of(servers, Cell.parse(List.of("at-once/1/*")), 3, 42);
    assertEquals(2 * (3 * 2 * 2) + 3 * 2, Plan.measurements(plan, 2));
    assertEquals("at-once/64/1", Plan.firstCell(servers.get(1)).toString());
    assertEquals("at-once/1/1", Plan.firstCell(servers.get(0)).toString());
  }

  @Test
  void shouldMeasureNeighboursInTheSameCell() {
    List<Plan.Step> plan =
        Plan.of(Contender.of(List.of("hsha", "disruptor")), Cell.parse(List.of("*/16/1")), 2, 1);
    for (int i = 0; i < plan.size(); i += 2) {
      assertEquals(plan.get(i).cell(), plan.get(i + 1).cell());
      assertEquals(plan.get(i).round(), plan.get(i + 1).round());
    }
  }

  @Test
  void shouldRaceOursAgainstAnotherBuildOfIt() {
    List<Contender> both =
        Contender.withBefore(
            Contender.of(List.of("hsha", "disruptor", "disruptor-09")), Path.of("/before"));
    assertEquals(
        List.of("hsha", "disruptor", "disruptor-09", "disruptor-before", "disruptor-09-before"),
        both.stream().map(Contender::id).toList());
    Contender before = both.get(3);
    assertEquals(Path.of("/before/libthrift"), Path.of("/now").resolve(before.module()));
    assertEquals(Contender.Role.PEER, before.role());
  }

  @Test
  void shouldRaceAServerAgainstItself() {
    List<Contender> chosen = Contender.of(List.of("hsha", "disruptor"));
    List<Contender> all = Contender.withAgain(chosen, "hsha");
    assertEquals(
        List.of("hsha", "disruptor", "hsha-again"), all.stream().map(Contender::id).toList());
    Contender again = all.get(2);
    assertEquals(all.get(0).type(), again.type());
    assertEquals(all.get(0).module(), again.module());
    assertEquals(Contender.Role.TWIN, again.role());
    assertTrue(
        Contender.withAgain(Contender.of(List.of("floor")), "floor").stream()
            .allMatch(Contender::isPlainEcho),
        "its twin is spoken to as it is");
    IllegalArgumentException fault =
        assertThrows(
            IllegalArgumentException.class, () -> Contender.withAgain(chosen, "threadpool"));
    assertEquals(
        "'threadpool' takes no part in the race: use one of hsha, disruptor", fault.getMessage());
  }

  @Test
  void shouldRaceEveryLibraryWithItsDefaults() {
    List<String> ids = Contender.withDefaults(List.of()).stream().map(Contender::id).toList();
    assertTrue(
        ids.containsAll(
            List.of("floor", "hsha", "threadedselector-09", "xedin", "nifty", "drift-loops")),
        ids::toString);
    for (String variant :
        List.of("threadedselector-inline", "nifty-inline", "drift", "drift-inline")) {
      assertFalse(ids.contains(variant), variant);
      IllegalArgumentException fault =
          assertThrows(
              IllegalArgumentException.class,
              () -> Contender.withDefaults(List.of("hsha", variant)));
      assertTrue(fault.getMessage().startsWith("'" + variant + "' is a variant"));
    }
  }

  @Test
  void shouldKnowEveryPeer() {
    List<String> ids = Contender.all().stream().map(Contender::id).toList();
    assertEquals(ids.size(), new HashSet<>(ids).size());
    assertTrue(
        ids.containsAll(
            List.of(
                "floor",
                "simple",
                "simple-09",
                "nonblocking",
                "nonblocking-09",
                "hsha",
                "hsha-09",
                "threadedselector",
                "threadedselector-09",
                "threadedselector-inline",
                "threadedselector-inline-09",
                "threadpool",
                "threadpool-09",
                "xedin",
                "nifty",
                "nifty-inline",
                "drift",
                "drift-loops",
                "drift-inline",
                "disruptor",
                "disruptor-09")),
        ids::toString);
  }

  @Test
  void shouldTakeAllCellsForStars() {
    assertEquals(Handler.values().length * 5 * 2, Cell.parse(List.of("*/*/*")).size());
    assertEquals(
        "[at-once/16/8, cpu-100us/3/1]",
        Cell.parse(List.of("at-once/16/8", "cpu-100us/3/1", "at-once/16/8")).toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "at-once", "at-once/1", "at-once/0/1", "at-once/x/1", "nap/1/1"})
  void shouldRefuseACellThatIsNone(String pattern) {
    assertThrows(IllegalArgumentException.class, () -> Cell.parse(List.of(pattern)));
  }

  @Test
  void shouldMeasureTheClosedLoopFirst() {
    assertEquals("[closed, open-80, open-50]", LoadKind.of(List.of(80, 50)).toString());
    assertEquals("[closed]", LoadKind.of(List.of()).toString());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 101})
  void shouldRefuseAnOpenLoopThatIsNone(int percent) {
    assertThrows(IllegalArgumentException.class, () -> LoadKind.of(List.of(percent)));
  }

  @Test
  void shouldListTheServersWhenOneIsUnknown() {
    IllegalArgumentException fault =
        assertThrows(IllegalArgumentException.class, () -> Contender.of(List.of("netty")));
    assertTrue(fault.getMessage().contains("unknown server 'netty': use some of floor"));
  }
}
