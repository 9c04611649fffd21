package dev.ringside.thrift;

import dev.ringside.thrift.internal.work.Duty;
import dev.ringside.thrift.internal.work.Roster;
import java.util.function.BooleanSupplier;

/** Is a roster with a deliberate error, to verify that the exploration of schedules finds it. */
final class BrokenRoster extends Roster {
  /** Lists the errors with the message that must report them. */
  enum Fault {
    /** A lost wake-up: a thread that publishes just before relies on the check that is omitted. */
    PARKS_WITHOUT_A_LOOK(1, false, false, "work waits though nobody can move"),
    /** The same for a thread that waits for its own connection. */
    LINGERS_WITHOUT_A_LOOK(1, true, false, "work waits though nobody can move"),
    /** Work that only a thread could take that lingers: the watchdog does not learn of it. */
    FORGETS_THE_WATCHDOG(1, true, false, "work waits though nobody can move"),
    /** No limit: threads are started for everything that is published. */
    KNOWS_NO_LIMIT(1, false, false, "more than 1 stay"),
    /** No limit: threads that were started above it for urgent work stay. */
    KEEPS_WHO_IS_TOO_MANY(1, false, false, "more than 1 stay"),
    /** A thread that could not be started is counted as starting. */
    FORGETS_FAILED_STARTS(2, false, true, "a thread is counted that does not exist"),
    /** No thread ends. */
    NEVER_ENDS(2, false, false, "after the end");

    final int max;
    final boolean lingers;
    final boolean startsMayFail;
    final String found;

    Fault(int max, boolean lingers, boolean startsMayFail, String found) {
      this.max = max;
      this.lingers = lingers;
      this.startsMayFail = startsMayFail;
      this.found = found;
    }
  }

  /** Is a staff whose work can be hidden from the roster, as if the roster did not check. */
  private static final class Hiding implements Roster.Staff {
    private final Roster.Staff staff;
    private final boolean deaf;
    private boolean hidden;

    private Hiding(Roster.Staff staff, boolean deaf) {
      this.staff = staff;
      this.deaf = deaf;
    }

    @Override
    public boolean hasWork() {
      return !hidden && staff.hasWork();
    }

    @Override
    public boolean hasUrgentWork() {
      return staff.hasUrgentWork();
    }

    @Override
    public void start() {
      staff.start();
    }

    @Override
    public void watch() {
      if (!deaf) {
        staff.watch();
      }
    }

    /** Makes a call while the work is hidden. No other task runs at the same time. */
    private boolean hide(BooleanSupplier call) {
      hidden = true;
      try {
        return call.getAsBoolean();
      } finally {
        hidden = false;
      }
    }
  }

  private final Fault fault;
  private final Hiding staff;

  BrokenRoster(Fault fault, Roster.Staff staff, int max) {
    this(fault, new Hiding(staff, fault == Fault.FORGETS_THE_WATCHDOG), max);
  }

  private BrokenRoster(Fault fault, Hiding staff, int max) {
    super(staff, 0, fault == Fault.KNOWS_NO_LIMIT ? Integer.MAX_VALUE : max);
    this.fault = fault;
    this.staff = staff;
  }

  @Override
  public boolean park(Duty duty) {
    return fault == Fault.PARKS_WITHOUT_A_LOOK
        ? staff.hide(() -> super.park(duty))
        : super.park(duty);
  }

  @Override
  public boolean linger(Duty duty) {
    return fault == Fault.LINGERS_WITHOUT_A_LOOK
        ? staff.hide(() -> super.linger(duty))
        : super.linger(duty);
  }

  @Override
  public boolean isOverLimit() {
    return fault != Fault.KEEPS_WHO_IS_TOO_MANY && super.isOverLimit();
  }

  @Override
  public void notStarted() {
    if (fault != Fault.FORGETS_FAILED_STARTS) {
      super.notStarted();
    }
  }

  @Override
  public void end() {
    if (fault != Fault.NEVER_ENDS) {
      super.end();
    }
  }
}
