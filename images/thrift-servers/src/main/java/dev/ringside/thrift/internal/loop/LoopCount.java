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
 *   <li>shrinks when no processor is idle and other threads, such as clients', need one. If a
 *       processor is idle then and the count grows again, it waits for twice as long before it does
 *       so the next time.
 * </ul>
 *
 * <p>Not thread-safe.
 */
public final class LoopCount {
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
  private static final int CALM_PERIODS = 10;

  private static final int MIN_PATIENCE = 5;
  private static final int MAX_PATIENCE = 640;

  private final int max;
  private int inUse = 1;
  private int calm;
  private int crowded;
  private int patience = MIN_PATIENCE;

  /** Whether the last change was made because it was crowded. */
  private boolean madeRoom;

  public LoopCount(int max) {
    this.max = max;
  }

  /** Returns how many loops are in use. */
  public int inUse() {
    return inUse;
  }

  /** Reports whether a period may change anything, judged by its busiest loop alone. */
  public boolean mustDecide(double busiest) {
    return inUse > 1 || busiest >= BUSY;
  }

  /**
   * Evaluates an observation and returns how many loops are in use from now on.
   *
   * @param periods how many periods it covers
   * @param busiest share of its time for which the busiest loop had something to do
   * @param busy the sum of these shares over all loops in use
   * @param idle how many processors had nothing to do, on average
   * @param elsewhere how many processors were used by other threads than those of the loops
   */
  public int next(int periods, double busiest, double busy, double idle, double elsewhere) {
    boolean isCalm = inUse > 1 && busy < ROOM * (inUse - 1);
    boolean isCrowded = inUse > 1 && !isCalm && idle < CROWDED && elsewhere >= CONTENDED;
    calm = isCalm ? calm + periods : 0;
    crowded = isCrowded ? crowded + periods : isCalm ? 0 : crowded;
    if (busiest >= BUSY && idle >= IDLE && inUse < max) {
      patience = madeRoom ? Math.min(MAX_PATIENCE, 2 * patience) : MIN_PATIENCE;
      use(inUse + 1, false);
    } else if (calm >= CALM_PERIODS) {
      use(inUse - 1, false);
    } else if (crowded >= patience) {
      use(inUse - 1, true);
    }
    return inUse;
  }

  private void use(int loops, boolean forRoom) {
    inUse = loops;
    madeRoom = forRoom;
    calm = 0;
    crowded = 0;
  }
}
