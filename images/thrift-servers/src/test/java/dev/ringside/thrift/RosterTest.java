package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The state machine of the threads alone: no sockets, no clocks, and in any order of its steps. */
@Timeout(300)
final class RosterTest {
  private static final int SEEDS = Integer.getInteger("schedule.seeds", 1500);

  /** What workers, publishers and a watchdog do in one schedule. */
  private static final class Model implements Work, Staff {
    final Schedule schedule;
    final Roster roster;
    final ArrayDeque<Integer> ring = new ArrayDeque<>();
    final ArrayDeque<Integer> leaderless = new ArrayDeque<>();
    final boolean lingers;
    final boolean startsMayFail;
    Schedule.Task watchdog;
    int published;
    int served;
    int running;
    int mostRunning;
    int failedStarts;
    boolean ended;

    Model(long seed, int max, boolean lingers, boolean startsMayFail) {
      schedule = new Schedule(seed);
      roster = new Roster(this, this, 0, max, 2);
      this.lingers = lingers;
      this.startsMayFail = startsMayFail;
      watchdog = schedule.start(this::watchdog);
    }

    @Override
    public boolean exists() {
      schedule.point();
      return !ring.isEmpty() || !leaderless.isEmpty();
    }

    @Override
    public boolean isUrgent() {
      return !leaderless.isEmpty();
    }

    @Override
    public void start() {
      schedule.point();
      if (startsMayFail && schedule.random(3) == 0) {
        failedStarts++;
        roster.notStarted();
        return;
      }
      schedule.start(this::worker);
    }

    @Override
    public void watch() {
      watchdog.unpark();
    }

    private void watchdog() {
      while (true) {
        while (roster.lacksThreads()) {
          roster.relieve();
          schedule.point();
        }
        schedule.park();
      }
    }

    void publisher(int count, boolean urgent) {
      for (int i = 0; i < count; i++) {
        schedule.point();
        published++;
        (urgent ? leaderless : ring).add(i);
        schedule.point();
        roster.wakeOne();
      }
    }

    private void worker() {
      Schedule.Task me = schedule.current();
      Duty[] self = new Duty[1];
      self[0] = new Duty(from -> wake(me));
      Duty duty = self[0];
      roster.begin(duty);
      while (work(duty) && await(duty)) {
        // as a worker does
      }
      roster.leave(duty);
    }

    private void wake(Schedule.Task task) {
      schedule.point();
      task.unpark();
    }

    private boolean work(Duty duty) {
      while (roster.mayStay(duty)) {
        schedule.point();
        Integer item = leaderless.isEmpty() ? ring.poll() : leaderless.poll();
        if (item == null) {
          return true;
        }
        schedule.point();
        roster.hasLooked(duty);
        serve();
        if (lingers && schedule.random(2) == 0) {
          linger(duty);
        }
      }
      return false;
    }

    private void serve() {
      mostRunning = Math.max(mostRunning, ++running);
      for (int i = schedule.random(6); i > 0; i--) {
        schedule.point();
      }
      running--;
      served++;
    }

    private void linger(Duty duty) {
      if (!roster.linger(duty)) {
        return;
      }
      if (schedule.random(3) > 0) {
        // Its connection stays silent: only a recall ends this.
        while (duty.state() == WorkerState.LINGERING) {
          schedule.park();
        }
      }
      schedule.point();
      if (roster.endLinger(duty)) {
        serve();
        served--;
      }
    }

    private boolean await(Duty duty) {
      if (!roster.park(duty)) {
        return false;
      }
      while (duty.state() == WorkerState.PARKED) {
        schedule.park();
      }
      return true;
    }

    void check(String what) {
      assertEquals(published, served, what + ": work waits though nobody can move: " + counts());
      assertEquals(0, roster.searching(), what + ": somebody is counted as searching");
      assertEquals(roster.threads(), roster.parked() + roster.lingering(), what + ": " + counts());
    }

    String counts() {
      return String.format(
          "%d threads, %d searching, %d parked, %d lingering",
          roster.threads(), roster.searching(), roster.parked(), roster.lingering());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, false, false", "2, false, false", "4, false, false",
    "2, true, false", "4, true, false", "4, true, true"
  })
  void shouldLeaveNoWorkBehindInAnyOrderOfSteps(int max, boolean lingers, boolean startsMayFail)
      throws Exception {
    for (long seed = 0; seed < SEEDS; seed++) {
      Model model = new Model(seed, max, lingers, startsMayFail);
      int publishers = 1 + model.schedule.random(3);
      for (int i = 0; i < publishers; i++) {
        int count = 1 + model.schedule.random(4);
        boolean urgent = i == 2;
        model.schedule.start(() -> model.publisher(count, urgent));
      }
      String what = "seed " + seed;
      model.schedule.run();
      model.check(what);
      // What is published when all sleep must be found as well.
      model.schedule.start(() -> model.publisher(2, false));
      model.schedule.run();
      model.check(what + ", again");
      assertTrue(model.mostRunning <= max + 4, what + ": " + model.mostRunning + " at once");
      model.schedule.start(model.roster::end);
      model.schedule.run();
      assertEquals(0, model.roster.threads(), what + ": after the end: " + model.counts());
      model.schedule.abandon();
    }
  }

  /** Counts what the roster asks for, and is not asked anything itself. */
  private static final class Still implements Work, Staff {
    boolean work;
    boolean urgent;
    int started;
    int watched;

    @Override
    public boolean exists() {
      return work;
    }

    @Override
    public boolean isUrgent() {
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
  private final List<WorkerState> wakes = new ArrayList<>();

  private Duty hired(Roster roster) {
    roster.wakeOne();
    Duty duty = new Duty(wakes::add);
    roster.begin(duty);
    roster.hasLooked(duty);
    return duty;
  }

  @Test
  void shouldStartNoMoreThanTheLimit() {
    Roster roster = new Roster(still, still, 0, 2, 2);
    hired(roster);
    hired(roster);
    roster.wakeOne();
    assertEquals(2, still.started);
    assertEquals(2, roster.threads());
  }

  @Test
  void shouldCountToTheLargestNumberWithoutOverflow() {
    Roster roster = new Roster(still, still, 0, 2L * Integer.MAX_VALUE, 2);
    hired(roster);
    assertEquals(1, still.started);
    assertFalse(roster.isOverLimit());
  }

  @Test
  void shouldStartOneBeyondTheLimitForUrgentWorkAndSendTheFirstAwayThatIsFree() {
    Roster roster = new Roster(still, still, 0, 1, 2);
    Duty first = hired(roster);
    still.urgent = true;
    Duty second = hired(roster);
    assertEquals(2, roster.threads());
    still.urgent = false;
    assertFalse(roster.mayStay(first));
    assertEquals(1, roster.threads());
    assertTrue(roster.mayStay(second));
    roster.leave(first);
    assertEquals(1, roster.threads());
  }

  @Test
  void shouldWakeTheOneThatWasParkedLastAndCountItAsSearching() {
    Roster roster = new Roster(still, still, 0, 2, 2);
    Duty first = hired(roster);
    Duty second = hired(roster);
    roster.park(first);
    roster.park(second);
    roster.wakeOne();
    assertEquals(WorkerState.SEARCHING, second.state());
    assertEquals(WorkerState.PARKED, first.state());
    assertEquals(Collections.singletonList(WorkerState.PARKED), wakes);
    assertEquals(1, roster.searching());
  }

  /** It finds work before it sleeps: whoever was told that it searches relies on it. */
  @Test
  void shouldNotCountAWorkerTwiceThatIsWokenWhileItParks() {
    Roster roster = new Roster(still, still, 0, 1, 2);
    Duty duty = hired(roster);
    still.work = true;
    assertTrue(roster.park(duty));
    assertEquals(WorkerState.SEARCHING, duty.state());
    roster.wakeOne();
    assertEquals(1, roster.searching());
    still.work = false;
    roster.hasLooked(duty);
    assertEquals(0, roster.searching());
  }

  @Test
  void shouldRecallWhoLingersForUrgentWorkAtOnceAndForOtherWorkWhenAsked() {
    Roster roster = new Roster(still, still, 0, 1, 2);
    Duty duty = hired(roster);
    assertTrue(roster.linger(duty));
    still.work = true;
    roster.wakeOne();
    assertEquals(1, still.watched);
    assertEquals(WorkerState.LINGERING, duty.state());
    assertTrue(roster.lacksThreads());
    assertTrue(roster.relieve());
    assertFalse(roster.endLinger(duty));
    assertEquals(WorkerState.SEARCHING, duty.state());
    roster.hasLooked(duty);
    still.work = false;
    assertTrue(roster.linger(duty));
    still.urgent = true;
    roster.wakeOne();
    assertEquals(WorkerState.SEARCHING, duty.state());
  }

  @Test
  void shouldLetThoseLeaveThatAreIdleDownToTheLeast() {
    Roster roster = new Roster(still, still, 1, 2, 2);
    Duty first = hired(roster);
    Duty second = hired(roster);
    roster.park(first);
    roster.park(second);
    assertTrue(roster.leaveIfIdle(first));
    assertFalse(roster.leaveIfIdle(second));
    assertEquals(1, roster.threads());
  }
}
