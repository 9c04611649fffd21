package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.internal.habits.MethodHabits;
import dev.ringside.thrift.internal.habits.MethodTable;
import org.junit.jupiter.api.Test;

final class MethodHabitsTest {
  private static final long LIMIT = 100_000;

  private final MethodHabits habits = new MethodHabits(Bytes.of("get"), 1, LIMIT);

  @Test
  void shouldRunInlineUntilItUsesTooMuchCpu() {
    for (int i = 0; i < 1000; i++) {
      habits.ranInline(LIMIT / 4, -1);
    }
    assertFalse(habits.isSuspicious());
    assertFalse(habits.handOff());
    for (int i = 0; i < 100 && !habits.handOff(); i++) {
      habits.ranInline(2 * LIMIT, 2 * LIMIT);
    }
    assertTrue(habits.isSuspicious());
    assertTrue(habits.handOff());
  }

  @Test
  void shouldNotBeJudgedByABusyMachine() {
    for (int i = 0; i < 1000; i++) {
      habits.ranInline(10 * LIMIT, LIMIT / 10);
    }
    assertTrue(habits.isSuspicious());
    assertFalse(habits.handOff());
  }

  @Test
  void shouldHandOffWhatIsSlowAndWasSeenWaiting() {
    for (int i = 0; i < 100; i++) {
      habits.ranInline(2 * LIMIT, LIMIT / 10);
    }
    habits.seenWaiting();
    habits.ranInline(2 * LIMIT, LIMIT / 10);
    assertFalse(habits.handOff());
    habits.seenWaiting();
    habits.ranInline(2 * LIMIT, LIMIT / 10);
    assertTrue(habits.handOff());
  }

  @Test
  void shouldNotMindThatAQuickMethodWasSeenWaiting() {
    for (int i = 0; i < 100; i++) {
      habits.seenWaiting();
      habits.ranInline(LIMIT / 2, -1);
    }
    assertFalse(habits.handOff());
  }

  @Test
  void shouldHandOffAtOnceWhenCaughtBlockingAndLaterWhenCaughtRunning() {
    habits.caughtRunning();
    habits.caughtRunning();
    assertFalse(habits.handOff());
    habits.caughtRunning();
    assertTrue(habits.handOff());
    MethodHabits other = new MethodHabits(Bytes.of("put"), 2, LIMIT);
    other.caughtBlocking();
    assertTrue(other.handOff());
  }

  @Test
  void shouldComeBackInlineAfterItsProbationWhichDoublesEachTime() {
    int first = probation();
    int second = probation();
    int third = probation();
    assertTrue(second == 2 * first && third == 2 * second);
  }

  private int probation() {
    habits.caughtBlocking();
    int calls = 0;
    while (habits.handOff()) {
      habits.ranHandedOff(LIMIT / 10);
      calls++;
    }
    return calls;
  }

  @Test
  void shouldRunAMethodThatBlocksOneCallInAHundredInlineHardlyEver() {
    int inline = 0;
    int calls = 1_000_000;
    for (int i = 0; i < calls; i++) {
      boolean blocks = i % 100 == 0;
      if (habits.handOff()) {
        habits.ranHandedOff(LIMIT / 10);
      } else {
        inline++;
        if (blocks) {
          habits.caughtBlocking();
        } else {
          habits.ranInline(LIMIT / 10, -1);
        }
      }
    }
    assertTrue(inline < calls / 200, "inline: " + inline);
  }

  @Test
  void shouldAlwaysHandOffIfTheLimitIsNothing() {
    MethodHabits never = new MethodHabits(Bytes.of("get"), 1, 0);
    for (int i = 0; i < 100_000; i++) {
      assertTrue(never.handOff());
      never.ranHandedOff(0);
    }
  }

  @Test
  void shouldFindEachMethodByItsNameAndShareWhatHasNone() {
    MethodTable table = new MethodTable(LIMIT);
    byte[] names = Bytes.of("getputget");
    MethodHabits get = table.find(names, 0, 3);
    assertSame(get, table.find(names, 6, 9));
    assertNotSame(get, table.find(names, 3, 6));
    assertSame(table.find(names, 4, 4), table.find(names, 7, 7));
  }

  @Test
  void shouldGiveACalledMethodAPlaceAmongNamesThatAClientMadeUp() {
    MethodTable table = new MethodTable(LIMIT);
    MethodHabits shared = table.find(new byte[0], 0, 0);
    for (int i = 0; i < 100_000; i++) {
      call(table, "hostile" + i);
    }
    for (int i = 0; i < 64; i++) {
      call(table, "get");
    }
    MethodHabits get = call(table, "get");
    assertNotSame(shared, get);
    for (int i = 0; i < 100_000; i++) {
      call(table, "hostile too" + i);
      assertSame(get, call(table, "get"));
    }
  }

  private static MethodHabits call(MethodTable table, String method) {
    byte[] name = Bytes.of(method);
    MethodHabits habits = table.find(name, 0, name.length);
    habits.ranInline(1000, -1);
    return habits;
  }
}
