package dev.ringside.load;

import java.util.ArrayList;
import java.util.List;

/**
 * The search for a capacity: the rate at which half of the steps keep their objective. A rate that
 * was kept is raised, one that was not is lowered; where the direction turns, the capacity lies
 * between the last two rates, and the stride becomes its own square root until it is as fine as was
 * asked. So one step that the machine spoilt leads astray for a moment and not for good, as it
 * would a bisection; a walk of several steps in one direction makes the stride longer again, and
 * what was found of the finest stride until then is forgotten: it was on another trail.
 *
 * <p>All methods are pure functions of what was tried.
 */
final class Staircase {
  /** Of the first stride: rates are doubled or halved. */
  private static final double COARSEST = 2;

  /** So many turns of the finest stride are enough, on one trail. */
  private static final int TURNS = 4;

  /** So many steps of one stride in one direction, and it becomes longer: the trail was lost. */
  private static final int ASTRAY = 4;

  private final int from;
  private final int most;
  private final double finest;

  /**
   * A search.
   *
   * @param from the first rate
   * @param most no higher rate is tried
   * @param precision the finest stride, as a share of the rate
   */
  Staircase(int from, int most, double precision) {
    this.from = from;
    this.most = most;
    finest = 1 + precision;
  }

  /** The next rate to try; 0 when the search is done. */
  int next(List<Try> tries) {
    Walk walk = walk(tries);
    return walk.done() ? 0 : walk.rate;
  }

  /** Whether the search has come to its end: whatever it found, more tries are of no use. */
  boolean done(List<Try> tries) {
    return walk(tries).done();
  }

  /**
   * The capacity as far as it is known: the geometric mean of the turns of the finest stride, or of
   * the last ones before it came to be so fine. The highest rate where all that were tried were
   * kept or the search ended there, 0 where none was.
   */
  double capacity(List<Try> tries) {
    Walk walk = walk(tries);
    if (walk.atEnd) {
      return walk.last.kept() ? walk.last.rate() : 0;
    }
    List<Double> turns = walk.finestTurns.isEmpty() ? walk.turns : walk.finestTurns;
    if (turns.isEmpty()) {
      return tries.stream().filter(Try::kept).mapToInt(Try::rate).max().orElse(0);
    }
    List<Double> last = turns.subList(Math.max(0, turns.size() - TURNS), turns.size());
    return Math.exp(last.stream().mapToDouble(Math::log).average().orElse(0));
  }

  private Walk walk(List<Try> tries) {
    Walk walk = new Walk();
    tries.forEach(walk::add);
    return walk;
  }

  /** Where the search stands after some tries. */
  private final class Walk {
    private final List<Double> turns = new ArrayList<>();
    private final List<Double> finestTurns = new ArrayList<>();
    private int rate = Math.min(from, most);
    private double stride = COARSEST;
    private Try last;
    private int straight;
    private boolean atEnd;

    void add(Try now) {
      if (last != null && last.kept() != now.kept()) {
        turn(Math.sqrt((double) last.rate() * now.rate()));
      } else if (++straight >= ASTRAY && !turns.isEmpty()) {
        stride = Math.min(COARSEST, stride * stride);
        finestTurns.clear();
        straight = 0;
      }
      last = now;
      int next = now.kept() ? raised(now.rate()) : lowered(now.rate());
      atEnd = next == now.rate();
      rate = next;
    }

    private void turn(double between) {
      turns.add(between);
      if (stride <= finest) {
        finestTurns.add(between);
      }
      stride = Math.max(finest, Math.sqrt(stride));
      straight = 1;
    }

    private int raised(int of) {
      return (int) Math.min(most, Math.max(of + 1L, Math.round(of * stride)));
    }

    private int lowered(int of) {
      return (int) Math.max(1, Math.min(of - 1L, Math.round(of / stride)));
    }

    /** Enough is known, or there is nowhere left to go. */
    boolean done() {
      return finestTurns.size() >= TURNS || atEnd;
    }
  }
}
