package dev.ringside.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The staircase search for a capacity: the rate at which half of the steps meet the objective.
 * After a step that meets it the rate is raised, after another step it is lowered. At each change
 * of direction (a turn) the capacity is between the last two rates, and the stride, a factor,
 * becomes its square root until it has the precision that was asked for.
 *
 * <p>So one disturbed step misleads the search for a moment, where it would mislead a bisection
 * permanently. After several steps in one direction the stride becomes longer again, and the turns
 * of the finest stride so far are discarded, because they were at the wrong rate.
 *
 * <p>All methods are pure functions of the steps that were tried.
 */
final class Staircase {
  /** The factor of the first stride: rates are doubled or halved. */
  private static final double COARSEST = 2;

  /** The number of turns of the finest stride that end a search. */
  private static final int TURNS = 4;

  /** The number of steps in one direction after which the stride becomes longer. */
  private static final int ASTRAY = 4;

  private final int from;
  private final int most;
  private final double finest;

  /**
   * Creates a search that begins at a random rate, at least the given one and less than twice that.
   * Otherwise all searches would try the same rates, and on a quiet machine capacities that differ
   * by less than the precision would be found equal in every round.
   */
  static Staircase dithered(int from, int most, double precision, Random random) {
    double first = from * Math.pow(COARSEST, random.nextDouble());
    return new Staircase((int) Math.min(Integer.MAX_VALUE, Math.round(first)), most, precision);
  }

  /**
   * Creates a search.
   *
   * @param from the first rate
   * @param most the highest rate to try
   * @param precision the finest stride, as a share of the rate
   */
  Staircase(int from, int most, double precision) {
    this.from = from;
    this.most = most;
    finest = 1 + precision;
  }

  /** Returns the next rate to try; 0 when the search is done. */
  int next(List<Try> tries) {
    Walk walk = walk(tries);
    return walk.done() ? 0 : walk.rate;
  }

  /** Reports whether the search is done: further steps do not improve its result. */
  boolean done(List<Try> tries) {
    return walk(tries).done();
  }

  /**
   * Returns the best estimate of the capacity. A search that ended at the highest rate has that
   * capacity; one that ended at the lowest rate has 0. Otherwise it is the geometric mean of the
   * last turns of the finest stride, or, if there are none, of the last turns of any stride.
   * Without a turn it is the highest rate that met the objective, or 0 if none did.
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

  /** The state of the search after some steps. */
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

    /** Reports whether there are enough turns, or the next rate would be the same. */
    boolean done() {
      return finestTurns.size() >= TURNS || atEnd;
    }
  }
}
