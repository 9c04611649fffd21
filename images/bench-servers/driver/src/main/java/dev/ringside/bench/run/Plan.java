package dev.ringside.bench.run;

import dev.ringside.bench.wire.Handler;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Defines the order of a run. Each round has each cell once in random order, and within a cell
 * every server in random order. So servers that are compared are measured within seconds of each
 * other.
 */
final class Plan {
  /** Is one measurement of the plan. */
  record Step(int round, Cell cell, Contender contender) {}

  private static final int FIRST_CONNECTIONS = 64;

  private Plan() {}

  /** Returns the load of a server's first second in each round. */
  static Cell firstCell(Contender contender) {
    return new Cell(Handler.AT_ONCE, Math.min(FIRST_CONNECTIONS, contender.maxConnections()), 1);
  }

  /** Returns the number of measurements: each step with each load, and the first seconds. */
  static int measurements(List<Step> steps, int loads) {
    long starts =
        steps.stream().map(step -> Map.entry(step.round(), step.contender())).distinct().count();
    return steps.size() * loads + (int) starts;
  }

  static List<Step> of(List<Contender> contenders, List<Cell> cells, int rounds, long seed) {
    Random random = new Random(seed);
    List<Step> steps = new ArrayList<>();
    for (int round = 1; round <= rounds; round++) {
      List<Cell> order = new ArrayList<>(cells);
      Collections.shuffle(order, random);
      for (Cell cell : order) {
        List<Contender> turn = new ArrayList<>(contenders);
        Collections.shuffle(turn, random);
        for (Contender contender : turn) {
          if (contender.fits(cell)) {
            steps.add(new Step(round, cell, contender));
          }
        }
      }
    }
    return steps;
  }
}
