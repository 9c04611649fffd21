package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class MethodHabitsTest {
  private static final long LIMIT = 100_000;

  private final MethodHabits habits = new MethodHabits(Bytes.of("get"), 1, LIMIT);

  @Test
  void shouldRunInlineUntilItProvesSlow() {
    for (int i = 0; i < 1000; i++) {
      habits.ranInline(LIMIT / 2);
    }
    assertFalse(habits.handOff());
    for (int i = 0; i < 100; i++) {
      habits.ranInline(2 * LIMIT);
    }
    assertTrue(habits.handOff());
  }

  @Test
  void shouldNotBeJudgedByOnePause() {
    habits.ranInline(1000 * LIMIT);
    assertFalse(habits.handOff());
  }

  @Test
  void shouldHandOffAtOnceWhenCaughtBlocking() {
    habits.caughtBlocking();
    assertTrue(habits.handOff());
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
  void shouldStayHandedOffWhileOneCallInAHundredIsSlow() {
    habits.caughtBlocking();
    for (int i = 0; i < 100_000; i++) {
      habits.ranHandedOff(i % 100 == 0 ? 200 * LIMIT : LIMIT / 10);
      assertTrue(habits.handOff());
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
  void shouldHoldABoundedNumberOfNames() {
    MethodTable table = new MethodTable(LIMIT);
    java.util.Set<MethodHabits> entries =
        java.util.Collections.newSetFromMap(new java.util.IdentityHashMap<>());
    for (int i = 0; i < 100_000; i++) {
      byte[] name = Bytes.of("hostile" + i);
      entries.add(table.find(name, 0, name.length));
    }
    assertTrue(entries.size() <= 1025);
  }
}
