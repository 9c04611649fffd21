package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.internal.work.Duty;
import dev.ringside.thrift.internal.work.Roster;
import java.util.ArrayDeque;

/**
 * Models workers, publishers and a watchdog of a roster in one schedule, and verifies invariants
 * when no task can run.
 */
final class RosterModel implements Roster.Staff {
  /** Number of schedules that each test explores. */
  static final int SEEDS = Integer.getInteger("schedule.seeds", 1500);

  /** Creates the roster to explore. */
  interface Rosters {
    Roster roster(Roster.Staff staff, int max);
  }

  static final Rosters SOUND = (staff, max) -> new Roster(staff, 0, max);

  /** Threads above the limit that urgent work may need for a moment, and the watchdog adds. */
  private static final int MOST_FOR_URGENT = 8;

  final Schedule schedule;
  final Roster roster;
  final int max;
  final ArrayDeque<Integer> ring = new ArrayDeque<>();
  final ArrayDeque<Integer> leaderless = new ArrayDeque<>();
  final boolean lingers;
  final boolean startsMayFail;
  final Schedule.Task watchdog;
  int published;
  int served;
  int running;
  int mostRunning;

  private RosterModel(long seed, int max, boolean lingers, boolean startsMayFail, Rosters rosters) {
    schedule = new Schedule(seed);
    roster = rosters.roster(this, max);
    this.max = max;
    this.lingers = lingers;
    this.startsMayFail = startsMayFail;
    watchdog = schedule.start(this::watchdog);
  }

  /**
   * Runs publishers, workers and a watchdog in an order that the seed determines: at the start,
   * when all threads sleep, and at the end.
   *
   * @throws AssertionError if work remains, a thread is counted wrongly, or too many threads run
   */
  static void explore(long seed, int max, boolean lingers, boolean startsMayFail, Rosters rosters)
      throws InterruptedException {
    RosterModel model = new RosterModel(seed, max, lingers, startsMayFail, rosters);
    try {
      model.explore("seed " + seed);
    } finally {
      model.schedule.abandon();
    }
  }

  private void explore(String what) {
    int publishers = 1 + schedule.random(3);
    boolean anyUrgent = publishers > 2;
    for (int i = 0; i < publishers; i++) {
      int count = 1 + schedule.random(4);
      boolean urgent = i == 2;
      schedule.start(() -> publisher(count, urgent));
    }
    schedule.run();
    check(what);
    // Work that is published while all threads sleep must be found, too.
    schedule.start(() -> publisher(2, false));
    schedule.run();
    check(what + ", again");
    int most = max + (anyUrgent ? MOST_FOR_URGENT : 0);
    assertTrue(
        mostRunning <= most, what + ": " + mostRunning + " run at once, the limit is " + max);
    schedule.start(roster::end);
    schedule.run();
    assertEquals(0, roster.threads(), what + ": after the end: " + counts());
  }

  @Override
  public boolean hasWork() {
    // A schedule does not see that a task waits for the roster's lock, so none may stop in it.
    if (!Thread.holdsLock(roster)) {
      schedule.point();
    }
    return !ring.isEmpty() || !leaderless.isEmpty();
  }

  @Override
  public boolean hasUrgentWork() {
    return !leaderless.isEmpty();
  }

  @Override
  public void start() {
    schedule.point();
    if (startsMayFail && schedule.random(3) == 0) {
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

  private void publisher(int count, boolean urgent) {
    for (int i = 0; i < count; i++) {
      schedule.point();
      published++;
      (urgent ? leaderless : ring).add(i);
      schedule.point();
      if (urgent) {
        roster.wakeUrgently();
      } else {
        roster.wakeOne();
      }
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
    schedule.point();
    if (!roster.linger(duty)) {
      return;
    }
    if (schedule.random(3) > 0) {
      // Its connection stays silent, so only a recall ends this.
      while (duty.state() == Duty.State.LINGERING) {
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
    // Work may be published between the last check and this point.
    schedule.point();
    if (!roster.park(duty)) {
      return false;
    }
    while (duty.state() == Duty.State.PARKED) {
      schedule.park();
    }
    return true;
  }

  private void check(String what) {
    assertEquals(
        roster.threads(),
        roster.parked() + roster.lingering(),
        what + ": a thread is counted that does not exist: " + counts());
    assertEquals(published, served, what + ": work waits though nobody can move: " + counts());
    assertTrue(roster.threads() <= max, what + ": more than " + max + " stay: " + counts());
  }

  private String counts() {
    return String.format(
        "%d threads, %d parked, %d lingering",
        roster.threads(), roster.parked(), roster.lingering());
  }
}
