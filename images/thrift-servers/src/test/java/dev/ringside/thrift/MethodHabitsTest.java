package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.internal.habits.MethodHabits;
import dev.ringside.thrift.internal.habits.MethodTable;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class MethodHabitsTest {
  private static final long LIMIT = 100_000;

  private final MethodHabits habits = new MethodHabits(Bytes.of("get"), LIMIT);

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
    MethodHabits other = new MethodHabits(Bytes.of("put"), LIMIT);
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
    MethodHabits never = new MethodHabits(Bytes.of("get"), 0);
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

  /** A client that makes names up must not use the server's memory, nor displace its methods. */
  @Test
  void shouldKeepTheFirstMethodsAndLetOthersShare() {
    MethodTable table = new MethodTable(LIMIT);
    MethodHabits shared = table.find(new byte[0], 0, 0);
    MethodHabits get = find(table, "get");
    for (int i = 0; i < 1023; i++) {
      assertNotSame(shared, find(table, "method" + i));
    }
    for (int i = 0; i < 100_000; i++) {
      assertSame(shared, find(table, "made up" + i));
    }
    assertSame(get, find(table, "get"));
    assertEquals("get", get.name());
    assertEquals("", shared.name());
  }

  private static MethodHabits find(MethodTable table, String method) {
    byte[] name = Bytes.of(method);
    return table.find(name, 0, name.length);
  }

  @Test
  void shouldListTheMethodsThatAreHandedOff() {
    MethodTable table = new MethodTable(LIMIT);
    find(table, "quick").ranInline(1, -1);
    find(table, "blocks").caughtBlocking();
    assertEquals(Arrays.asList("blocks"), table.handedOff());
  }

  @Test
  void shouldKnowAMethodWhoseCallsEndSoon() {
    assertFalse(habits.endsSoon(), "no call has ended");
    habits.ranInline(20 * LIMIT, -1);
    habits.caughtBlocking();
    assertTrue(habits.endsSoon());
    for (int i = 0; i < 100; i++) {
      habits.ranHandedOff(2 * LIMIT);
    }
    assertFalse(habits.endsSoon());
  }

  @Test
  void shouldExpectTheLargestReplyUntilManyAreSmaller() {
    habits.replied(100_000);
    habits.replied(10);
    assertTrue(habits.replyBytes() > 90_000);
    for (int i = 0; i < 300; i++) {
      habits.replied(10);
    }
    assertEquals(10, habits.replyBytes());
  }
}
