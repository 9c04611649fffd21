package dev.ringside.bench.run;

import dev.ringside.bench.stats.Row;
import java.io.PrintStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * Prints one line per measurement: its result, the number done and the estimated remaining time.
 */
final class Progress {
  private final int steps;
  private final Clock clock;
  private final PrintStream out;
  private final Instant start;
  private int done;

  Progress(int steps, Clock clock, PrintStream out) {
    this.steps = steps;
    this.clock = clock;
    this.out = out;
    start = clock.instant();
  }

  void done(Plan.Step step, Row row) {
    done++;
    Duration left =
        Duration.between(start, clock.instant()).multipliedBy(steps - done).dividedBy(done);
    out.printf(
        "%d/%d round %d %s %s: %s, about %d:%02d left%n",
        done,
        steps,
        step.round(),
        row.measured().cell(),
        row.measured().server(),
        row.ok() ? String.format("%.0f ops/s", row.throughput().rate()) : "failed: " + row.fault(),
        left.toMinutes(),
        left.toSecondsPart());
  }

  void end() {
    Duration took = Duration.between(start, clock.instant());
    out.printf("%d measurements in %d:%02d%n", done, took.toMinutes(), took.toSecondsPart());
  }
}
