package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.internal.work.Duty;
import dev.ringside.thrift.internal.work.Roster;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the state machine of threads alone, without sockets and clocks, in all orders of its steps.
 */
@Timeout(300)
final class RosterTest {
  @ParameterizedTest
  @CsvSource({
    "1, false, false", "2, false, false", "4, false, false",
    "2, true, false", "4, true, false", "4, true, true"
  })
  void shouldLeaveNoWorkBehindInAnyOrderOfSteps(int max, boolean lingers, boolean startsMayFail)
      throws Exception {
    for (long seed = 0; seed < RosterModel.SEEDS; seed++) {
      RosterModel.explore(seed, max, lingers, startsMayFail, RosterModel.SOUND);
    }
  }

  /** Counts the roster's requests. */
  private static final class Still implements Roster.Staff {
    boolean work;
    boolean urgent;
    int started;
    int watched;

    @Override
    public boolean hasWork() {
      return work;
    }

    @Override
    public boolean hasUrgentWork() {
      return urgent;
    }

    @Override
    public void start() {
      started++;
    }

    @Override
    public void watch() {
      watched++;
    }
  }

  private final Still still = new Still();
  private final List<Duty.State> wakes = new ArrayList<>();

  private Duty hired(Roster roster) {
    roster.wakeOne();
    Duty duty = new Duty(wakes::add);
    roster.begin(duty);
    assertTrue(roster.mayStay(duty));
    return duty;
  }

  @Test
  void shouldStartNoMoreThanTheLimit() {
    Roster roster = new Roster(still, 0, 2);
    hired(roster);
    hired(roster);
    roster.wakeOne();
    assertEquals(2, still.started);
    assertEquals(2, roster.threads());
  }

  @Test
  void shouldCountToTheLargestNumberWithoutOverflow() {
    Roster roster = new Roster(still, 0, 2L * Integer.MAX_VALUE);
    hired(roster);
    assertEquals(1, still.started);
    assertFalse(roster.isOverLimit());
  }

  @Test
  void shouldStartOneBeyondTheLimitForUrgentWorkAndSendTheFirstAwayThatIsFree() {
    Roster roster = new Roster(still, 0, 1);
    Duty first = hired(roster);
    still.work = true;
    still.urgent = true;
    roster.wakeOne();
    assertEquals(1, roster.threads());
    roster.wakeUrgently();
    Duty second = new Duty(wakes::add);
    roster.begin(second);
    assertEquals(2, roster.threads());
    still.work = false;
    still.urgent = false;
    assertFalse(roster.mayStay(first));
    assertEquals(1, roster.threads());
    assertTrue(roster.mayStay(second));
    roster.leave(first);
    assertEquals(1, roster.threads());
  }

  @Test
  void shouldWakeTheOneThatWasParkedLast() {
    Roster roster = new Roster(still, 0, 2);
    Duty first = hired(roster);
    Duty second = hired(roster);
    roster.park(first);
    roster.park(second);
    roster.wakeOne();
    assertEquals(Duty.State.COMING, second.state());
    assertEquals(Duty.State.PARKED, first.state());
    assertEquals(Collections.singletonList(Duty.State.PARKED), wakes);
  }

  @Test
  void shouldWakeOneForEachPieceOfWork() {
    Roster roster = new Roster(still, 0, 3);
    for (int i = 0; i < 3; i++) {
      roster.park(hired(roster));
      roster.wakeOne();
    }
    assertEquals(3, roster.threads());
    assertEquals(0, roster.parked());
  }

  @Test
  void shouldNotParkWhereThereIsWork() {
    Roster roster = new Roster(still, 0, 1);
    Duty duty = hired(roster);
    still.work = true;
    assertTrue(roster.park(duty));
    assertEquals(Duty.State.RUNNING, duty.state());
  }

  @Test
  void shouldRecallWhoLingersForUrgentWorkAtOnceAndForOtherWorkWhenAsked() {
    Roster roster = new Roster(still, 0, 1);
    Duty duty = hired(roster);
    assertTrue(roster.linger(duty));
    still.work = true;
    roster.wakeOne();
    assertEquals(1, still.watched);
    assertEquals(Duty.State.LINGERING, duty.state());
    assertTrue(roster.lacksThreads());
    roster.relieve();
    assertFalse(roster.endLinger(duty));
    assertEquals(Duty.State.RUNNING, duty.state());
    still.work = false;
    assertTrue(roster.linger(duty));
    still.work = true;
    still.urgent = true;
    roster.wakeUrgently();
    assertEquals(Duty.State.RUNNING, duty.state());
    assertEquals(1, still.started);
  }

  @Test
  void shouldRecallNobodyWhileAnotherIsOnItsWay() {
    Roster roster = new Roster(still, 0, 2);
    Duty lingering = hired(roster);
    Duty parked = hired(roster);
    roster.linger(lingering);
    roster.park(parked);
    still.work = true;
    roster.wakeOne();
    assertTrue(roster.lacksThreads());
    roster.relieve();
    assertEquals(Duty.State.LINGERING, lingering.state());
    assertTrue(roster.mayStay(parked));
    roster.relieve();
    assertEquals(Duty.State.RUNNING, lingering.state());
  }

  @Test
  void shouldStartNoneInPlaceOfOneThatIsSlowToBegin() {
    Roster roster = new Roster(still, 0, 2);
    still.work = true;
    roster.wakeOne();
    assertTrue(roster.lacksThreads());
    roster.relieve();
    assertEquals(1, still.started);
    roster.notStarted();
    roster.relieve();
    assertEquals(2, still.started);
    assertEquals(1, roster.threads());
  }

  @Test
  void shouldLetThoseLeaveThatAreIdleDownToTheLeast() {
    Roster roster = new Roster(still, 1, 2);
    Duty first = hired(roster);
    Duty second = hired(roster);
    roster.park(first);
    roster.park(second);
    assertTrue(roster.leaveIfIdle(first));
    assertFalse(roster.leaveIfIdle(second));
    assertEquals(1, roster.threads());
  }
}
