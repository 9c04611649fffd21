package dev.ringside.thrift.internal.loop;

/**
 * Decides how many event loops are in use, from observations of each period.
 *
 * <p>One loop that always has something to do is the cheapest way to serve: it finds many
 * connections ready per select and never waits for a lock or a wakeup. A second one pays only if
 * the first cannot keep up <em>and</em> a processor is free to run it; where clients or handlers
 * share the processors, more loops only take time from each other. So the count starts at one. It
 *
 * <ul>
 *   <li>grows when a loop is always busy while a processor is idle,
 *   <li>shrinks when fewer loops would have room to spare for a second,
 *   <li>shrinks for a trial when no processor is idle and other threads, such as clients', use one.
 *       If fewer requests are served then, the trial is undone, and the next one comes after twice
 *       the time.
 * </ul>
 *
 * <p>Not thread-safe.
 */
public final class LoopCount {
  /** Holds the observations of one period. */
  public static final class Period {
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
    public Period(double busiest, double busy, double idle, double elsewhere, long served) {
      this.busiest = busiest;
      this.busy = busy;
      this.idle = idle;
      this.elsewhere = elsewhere;
      this.served = served;
    }
  }

  /** From this share of its time on a loop cannot keep up. */
  private static final double BUSY = 0.85;

  /** Share of the remaining loops' time that may be busy after a loop is removed. */
  private static final double ROOM = 0.6;

  /** Idle processors from which on another loop pays. */
  private static final double IDLE = 0.5;

  /** Idle processors below which there are none. */
  private static final double CROWDED = 0.1;

  /** Processors used by other threads, from which on these may need a loop's time. */
  private static final double CONTENDED = 0.4;

  /** Number of periods without need of a loop after which it is removed. */
  public static final int CALM_PERIODS = 10;

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

  public LoopCount(int max) {
    this.max = max;
  }

  /** Returns how many loops are in use. */
  public int inUse() {
    return inUse;
  }

  /** Reports whether a period may change anything, judged by its busiest loop alone. */
  public boolean mustDecide(double busiest) {
    return inUse > 1 || trialPeriods >= 0 || busiest >= BUSY;
  }

  /** Evaluates a period and returns how many loops are in use from now on. */
  public int next(Period period) {
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

  /** Restarts with one loop, after {@link #CALM_PERIODS} periods in which nothing was served. */
  public void rest() {
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
