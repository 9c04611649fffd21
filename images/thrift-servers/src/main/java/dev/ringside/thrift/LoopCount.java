package dev.ringside.thrift;

/**
 * Decides how many event loops are in use, from what was observed in each period.
 *
 * <p>One loop that always has something to do is the cheapest way to serve: it finds many
 * connections ready per select and never waits for a lock or a wakeup. A second one pays only if
 * the first cannot keep up <em>and</em> a processor is free to run it; where clients or handlers
 * share the processors, more loops only take time from each other. So the count starts at one, and
 *
 * <ul>
 *   <li>grows when a loop is always busy while a processor is idle,
 *   <li>shrinks when fewer loops would have room to spare for a second,
 *   <li>shrinks for a trial when no processor is idle and others, such as clients, use one of them.
 *       If fewer requests are served then, the trial is taken back, and the next one comes after
 *       twice the time.
 * </ul>
 *
 * <p>Not thread-safe.
 */
final class LoopCount {
  /** What a period has shown. */
  static final class Period {
    private final double busiest;
    private final double busy;
    private final double idle;
    private final double elsewhere;
    private final long served;

    /**
     * @param busiest share of its time for which the busiest loop had something to do
     * @param busy the sum of these shares over all loops in use
     * @param idle how many processors had nothing to do, on average
     * @param elsewhere how many processors were used by other threads than those of the loops
     * @param served requests
     */
    Period(double busiest, double busy, double idle, double elsewhere, long served) {
      this.busiest = busiest;
      this.busy = busy;
      this.idle = idle;
      this.elsewhere = elsewhere;
      this.served = served;
    }
  }

  /** From this share of its time on a loop cannot keep up. */
  private static final double BUSY = 0.85;

  /** Busy time that fewer loops must be able to take over, as a share of theirs. */
  private static final double ROOM = 0.6;

  /** Idle processors that make another loop worth while. */
  private static final double IDLE = 0.5;

  /** Idle processors below which there are none. */
  private static final double CROWDED = 0.1;

  /** Processors that others use, from which on they may have a use for a loop's time. */
  private static final double CONTENDED = 0.4;

  /** Periods without need of a loop after which it is given up. */
  static final int CALM_PERIODS = 10;

  private static final int SETTLING_PERIODS = 1;
  private static final int JUDGED_PERIODS = 3;
  private static final int MIN_PATIENCE = 5;
  private static final int MAX_PATIENCE = 640;

  private final int max;
  private int inUse = 1;
  private int calm;
  private int crowded;
  private int patience = MIN_PATIENCE;

  /** Requests per period, averaged over the last {@link #JUDGED_PERIODS} of them or so. */
  private double requests;

  private int trialPeriods = -1;
  private double requestsBefore;
  private double requestsSince;

  LoopCount(int max) {
    this.max = max;
  }

  /** How many loops are in use. */
  int inUse() {
    return inUse;
  }

  /** Whether a period may change anything, judged by its busiest loop alone. */
  boolean mustDecide(double busiest) {
    return inUse > 1 || trialPeriods >= 0 || busiest >= BUSY;
  }

  /** Takes in what a period has shown; tells how many loops are in use from now on. */
  int next(Period period) {
    if (trialPeriods >= 0) {
      judge(period.served);
    } else if (period.busiest >= BUSY && period.idle >= IDLE) {
      use(Math.min(max, inUse + 1));
    } else if (inUse > 1 && period.busy < ROOM * (inUse - 1)) {
      crowded = 0;
      if (++calm >= CALM_PERIODS) {
        use(inUse - 1);
      }
    } else if (inUse > 1 && period.idle < CROWDED && period.elsewhere >= CONTENDED) {
      calm = 0;
      if (++crowded >= patience) {
        requestsBefore = requests;
        requestsSince = 0;
        trialPeriods = 0;
        use(inUse - 1);
      }
    } else {
      calm = 0;
    }
    requests += (period.served - requests) / JUDGED_PERIODS;
    return inUse;
  }

  /** Nothing was served for {@link #CALM_PERIODS} periods: begins with one loop, as at first. */
  void rest() {
    trialPeriods = -1;
    requests = 0;
    use(1);
  }

  private void judge(long served) {
    if (++trialPeriods <= SETTLING_PERIODS) {
      return;
    }
    requestsSince += served;
    if (trialPeriods < SETTLING_PERIODS + JUDGED_PERIODS) {
      return;
    }
    trialPeriods = -1;
    // A loop less is 1/n of the capacity less, or none at all: the line is drawn in between.
    double enough = 1 - 0.5 / (inUse + 1);
    if (requestsSince / JUDGED_PERIODS < enough * requestsBefore) {
      use(inUse + 1);
      patience = Math.min(MAX_PATIENCE, 2 * patience);
    } else {
      patience = MIN_PATIENCE;
    }
  }

  private void use(int loops) {
    inUse = loops;
    calm = 0;
    crowded = 0;
  }
}
