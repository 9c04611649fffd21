package dev.ringside.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

class QueueTrendTest {
  private static final long STEP_NANOS = 3_000_000_000L;
  private static final int SAMPLES = 100;

  /** The rate of a simulated server: 200 packets of 100 operations per second. */
  private static final int RATE = 20_000;

  private static final int BATCH = 100;
  private static final int STEPS = 400;

  @Test
  void shouldDrawALineThroughAQueueThatGrows() {
    QueueTrend trend = trend(seconds -> 50 + 300 * seconds);
    assertEquals(300, trend.growth(), 0.001);
    assertEquals(300, trend.least(), 0.001, "all lies on the line");
    assertTrue(trend.grows());
    assertEquals(SAMPLES, trend.samples());
  }

  @Test
  void shouldNotTakeAQueueThatShrinksOrRestsForOneThatGrows() {
    assertFalse(trend(seconds -> 5_000 - 300 * seconds).grows());
    assertFalse(trend(seconds -> 0).grows());
    assertFalse(trend(seconds -> 1_600).grows(), "one that is long and stays so");
    assertFalse(trend(seconds -> 100.1 + 0.3 * seconds).grows(), "less than an operation in all");
  }

  @Test
  void shouldLeaveOutHowAQueueFillsToItsLevel() {
    assertFalse(trend(seconds -> Math.min(900, 2_000 * seconds)).grows());
  }

  /** Computed by hand: 1 and -1 alternately around a line of slope 10, with a piece of 0.12 s. */
  @Test
  void shouldBoundTheGrowthByWhatIsLeftBesideTheLine() {
    List<Backlog> samples = new ArrayList<>();
    for (int piece = 0; piece < QueueTrend.PIECES; piece++) {
      double seconds = 0.6 + 0.12 * (piece + 0.5);
      samples.add(
          new Backlog(Math.round(1e9 * seconds), 10 * (seconds - 1.8) + (piece % 2 == 0 ? 1 : -1)));
    }
    QueueTrend trend = QueueTrend.of(samples, STEP_NANOS);
    // The squared times add up to 0.12^2 x 20 x 399 / 12 = 9.576, and the alternating values tilt
    // the line by -0.12 x 10 / 9.576. Neighbours are not positively correlated, so all 20 count.
    double slope = -0.12 * 10 / 9.576;
    assertEquals(10 + slope, trend.growth(), 1e-6);
    double squares = 20 - slope * slope * 9.576;
    double margin = 1.7341 * Math.sqrt(squares / 18 / 9.576);
    assertEquals(10 + slope - margin, trend.least(), 1e-6);
    assertEquals(10 + slope + margin, trend.most(), 1e-6);
  }

  @Test
  void shouldKnowNothingOfAStepThatTheStoreHardlyToldOf() {
    List<Backlog> few = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      few.add(new Backlog(1_000_000_000L + i * 200_000_000L, 100 * i));
    }
    assertFalse(QueueTrend.of(few, STEP_NANOS).known());
    assertFalse(QueueTrend.of(few, STEP_NANOS).grows());
    assertEquals(9, QueueTrend.of(few, STEP_NANOS).samples());
    assertFalse(QueueTrend.of(List.of(), STEP_NANOS).known());
  }

  /** At 90% of the capacity the queue varies and does not grow. */
  @Test
  void shouldHardlyEverTakeAStableQueueForOneThatGrows() {
    assertTrue(refused(0.5) <= 0.08 * STEPS, "at half: " + refused(0.5));
    assertTrue(refused(0.9) <= 0.09 * STEPS, "at nine tenths: " + refused(0.9));
  }

  @Test
  void shouldSeeAQueueThatGrowsByATwentiethOfTheRate() {
    assertTrue(refused(1.05) >= 0.7 * STEPS, "at 1.05: " + refused(1.05));
    assertTrue(refused(1.1) >= 0.97 * STEPS, "at 1.1: " + refused(1.1));
  }

  /** Returns in how many steps the queue seems to grow at that share of the capacity. */
  private static int refused(double load) {
    Random random = new Random(7);
    int refused = 0;
    for (int step = 0; step < STEPS; step++) {
      refused += QueueTrend.of(simulated(load, random), STEP_NANOS).grows() ? 1 : 0;
    }
    return refused;
  }

  /**
   * Simulates packets that arrive at equal intervals and are processed one by one in random times.
   */
  private static List<Backlog> simulated(double load, Random random) {
    double period = (double) BATCH / RATE;
    double free = 0;
    List<Double> ends = new ArrayList<>();
    for (double due = period / 2; due < 3; due += period) {
      double took = period * load * Math.max(0.1, 1 + 0.16 * random.nextGaussian());
      free = Math.max(free, due) + took;
      ends.add(free);
    }
    List<Backlog> samples = new ArrayList<>();
    int done = 0;
    for (int i = 1; i <= SAMPLES; i++) {
      double now = 3.0 * i / SAMPLES;
      while (done < ends.size() && ends.get(done) <= now) {
        done++;
      }
      double come = Math.min(ends.size(), Math.floor(now / period + 0.5));
      samples.add(new Backlog(Math.round(1e9 * now) - 1, BATCH * (come - done)));
    }
    return samples;
  }

  private static QueueTrend trend(DoubleUnaryOperator length) {
    List<Backlog> samples = new ArrayList<>();
    for (int i = 0; i < SAMPLES; i++) {
      double seconds = 3.0 * i / SAMPLES;
      samples.add(new Backlog(Math.round(1e9 * seconds), length.applyAsDouble(seconds)));
    }
    return QueueTrend.of(samples, STEP_NANOS);
  }
}
