package dev.ringside.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** One arm's search for its capacity: the steps so far and the time that is left. */
final class Search {
  private final String label;
  private final SearchOrders orders;
  private final Staircase staircase;
  private final List<Try> tries = new ArrayList<>();
  private final List<String> lines = new ArrayList<>();
  private final Tally tally = new Tally();
  private long leftNanos;

  /**
   * Creates a search.
   *
   * @param label name of the arm; empty for the only one
   * @param random draws the first rate
   * @param budgetNanos time for all steps together
   */
  Search(String label, SearchOrders orders, Random random, long budgetNanos) {
    this.label = label;
    this.orders = orders;
    staircase = orders.staircase(random);
    leftNanos = budgetNanos;
  }

  String label() {
    return label;
  }

  /**
   * Returns the next rate to try; 0 when the search is done, or the time that is left is too short
   * for another step.
   */
  int next() {
    int rate = staircase.next(tries);
    return rate > 0 && orders.stepNanos(rate) <= leftNanos ? rate : 0;
  }

  /** Returns the number of steps so far. */
  int steps() {
    return tries.size();
  }

  /**
   * Judges a step at that rate and records it.
   *
   * @param tookNanos duration of the step, with the operations that were due in it and began later
   */
  void add(int rate, StepResult step, long tookNanos) {
    boolean kept = orders.objective().kept(step);
    tries.add(new Try(rate, kept));
    tally.add(step.tally());
    leftNanos -= tookNanos;
    lines.add(
        String.format(
                "step.%d=rate=%d operations=%d errors=%d unanswered=%d not_begun=%d nanos=%d"
                    + " kept=%d",
                tries.size(),
                rate,
                step.answered(),
                step.failed(),
                step.unanswered(),
                step.notBegun(),
                orders.objective().figure(step),
                kept ? 1 : 0)
            + orders.objective().noted(step));
  }

  Tally tally() {
    return tally;
  }

  /** Returns the lines of the summary that follow the counts. */
  List<String> lines() {
    List<String> all = new ArrayList<>(lines);
    all.add("capacity=" + Math.round(staircase.capacity(tries)));
    all.add("settled=" + (staircase.done(tries) ? 1 : 0));
    return all;
  }

  @Override
  public String toString() {
    return (label.isEmpty() ? "" : label + ": ")
        + String.format("%.0f/s after %d steps, ", staircase.capacity(tries), steps())
        + tally;
  }
}
