package dev.ringside.thrift;

import java.util.function.BooleanSupplier;

/** A roster with a fault that was put in on purpose, to see whether what explores it finds it. */
final class BrokenRoster extends Roster {
  /** What is wrong with it, and what is to be found. */
  enum Fault {
    /** A lost wake-up: who publishes just before relies on the look that is not taken. */
    PARKS_WITHOUT_A_LOOK(1, false, false, "work waits though nobody can move"),
    /** The same for one that waits for its own connection. */
    LINGERS_WITHOUT_A_LOOK(1, true, false, "work waits though nobody can move"),
    /** A cap that is none: threads are started for whatever is published. */
    KNOWS_NO_LIMIT(1, false, false, "more than 1 stay"),
    /** A cap that is none: threads that were started beyond it for urgent work stay. */
    KEEPS_WHO_IS_TOO_MANY(1, false, false, "more than 1 stay"),
    /** A thread that could not be started is counted as on its way. */
    FORGETS_FAILED_STARTS(2, false, true, "counted as searching"),
    /** It does not let anybody end. */
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

  /** Work that can be hidden from the roster, which is as if it did not look. */
  private static final class Hidden implements Work {
    private final Work work;
    private boolean hidden;

    private Hidden(Work work) {
      this.work = work;
    }

    @Override
    public boolean exists() {
      return !hidden && work.exists();
    }

    @Override
    public boolean isUrgent() {
      return work.isUrgent();
    }

    /** Calls that while there is no work to be seen. No other task moves meanwhile. */
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
  private final Hidden work;

  BrokenRoster(Fault fault, Work work, Staff staff, int max) {
    this(fault, new Hidden(work), staff, max);
  }

  private BrokenRoster(Fault fault, Hidden work, Staff staff, int max) {
    super(work, staff, 0, fault == Fault.KNOWS_NO_LIMIT ? Headcount.MOST : max, 2);
    this.fault = fault;
    this.work = work;
  }

  @Override
  boolean park(Duty duty) {
    return fault == Fault.PARKS_WITHOUT_A_LOOK
        ? work.hide(() -> super.park(duty))
        : super.park(duty);
  }

  @Override
  boolean linger(Duty duty) {
    return fault == Fault.LINGERS_WITHOUT_A_LOOK
        ? work.hide(() -> super.linger(duty))
        : super.linger(duty);
  }

  @Override
  boolean isOverLimit() {
    return fault != Fault.KEEPS_WHO_IS_TOO_MANY && super.isOverLimit();
  }

  @Override
  void notStarted() {
    if (fault != Fault.FORGETS_FAILED_STARTS) {
      super.notStarted();
    }
  }

  @Override
  void end() {
    if (fault != Fault.NEVER_ENDS) {
      super.end();
    }
  }
}
