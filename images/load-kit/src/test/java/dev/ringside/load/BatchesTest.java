package dev.ringside.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Loads whose connections do several operations together. */
class BatchesTest {
  private static final int BATCH = 50;
  @TempDir Path folder;
  private LoadFixture load;

  @BeforeEach
  void batches() {
    load = new LoadFixture(folder).with("RINGSIDE_ENDPOINTS", "h:1").inBatchesOf(BATCH);
  }

  @Test
  void shouldCountAndLogEveryOperationOfABatch() throws Exception {
    load.with("RINGSIDE_OPERATIONS", "1000");
    FakeServers servers =
        new FakeServers(
            (port, number) -> {
              if (number == 3 * BATCH) {
                throw new IOException("timed out");
              }
            },
            (port, number) -> Outcome.answered("kept"));
    assertEquals(0, load.run(servers), load::errors);
    assertTrue(servers.numbers().keySet().stream().allMatch(number -> number % BATCH == 0));
    assertEquals(1000 / BATCH - 1, servers.answered(1));
    assertEquals(1000 - BATCH, load.summary("operations"));
    assertEquals(1000 - BATCH, load.summary("outcome.kept"));
    assertEquals(1000 - BATCH, load.summary("keys"));
    assertEquals(BATCH, load.summary("errors"));
    assertEquals(1000 - BATCH, load.times().get("READ-st").getTotalCount());
  }

  @Test
  void shouldOfferTheRateInOperationsNotInBatches() throws Exception {
    load.with("RINGSIDE_DURATION_SECONDS", "1").with("RINGSIDE_TARGET_RATE", "5000");
    FakeServers servers = new FakeServers((port, number) -> {});
    assertEquals(0, load.run(servers), load::errors);
    assertEquals(100, servers.answered(1), 10);
    assertEquals(servers.answered(1) * BATCH, load.summary("operations"));
    Map<String, Histogram> logged = load.times();
    assertEquals(load.summary("operations"), logged.get("READ-rt").getTotalCount());
    assertEquals(load.summary("operations"), logged.get("READ-wt").getTotalCount());
  }

  @Test
  void shouldCountOperationsInTheStepsOfASearch() throws Exception {
    load.with("RINGSIDE_DURATION_SECONDS", "2", "RINGSIDE_CAPACITY_PERCENTILE", "50")
        .with("RINGSIDE_CAPACITY_BOUND_MICROS", "1000000", "RINGSIDE_CAPACITY_FROM", "5000")
        .with("RINGSIDE_CAPACITY_TO", "5000", "RINGSIDE_CAPACITY_STEP_MILLIS", "200");
    FakeServers servers = new FakeServers((port, number) -> {});
    assertEquals(0, load.run(servers), load::errors);
    assertEquals(servers.answered(1) * BATCH, load.summary("operations"));
    // 20 batches in a fifth of a second; on a busy machine the last may not begin.
    long first = load.times().get("READ@1-rt").getTotalCount();
    assertTrue(first > 0 && first <= 1000 && first % BATCH == 0, () -> first + " operations");
  }

  @Test
  void shouldRefuseAnUnfinishedBatch() {
    load.with("RINGSIDE_OPERATIONS", "120");
    assertEquals(LoadProcess.BAD_ORDERS, load.run(new FakeServers((port, number) -> {})));
    assertTrue(
        load.errors()
            .contains(
                "RINGSIDE_OPERATIONS is 120: this load does 50 in one go, so give a multiple of"
                    + " that"),
        load::errors);
  }

  /** Batches are due at equal intervals that match the rate. */
  @Test
  void shouldSpreadBatchesOverThePeriod() {
    assertEquals(1_000_000, new Pace(10_000, 20, 0, 1).due(0));
    assertEquals(3_000_000, new Pace(10_000, 20, 0, 1).due(1));
    assertEquals(3_000_000, new Pace(10_000, 20, 1, 2).due(0));
  }

  /** A batch counts as one value of a percentile, and is due as a whole. */
  @ParameterizedTest
  @CsvSource({"500, 2000", "999, 2450", "10000, 25000", "33333, 83300"})
  void shouldMakeAStepOfWholeBatchesLongEnoughForItsPercentile(int rate, long operations) {
    Map<String, String> environment = new HashMap<>();
    environment.put("RINGSIDE_CAPACITY_PERCENTILE", "75"); // 40 batches
    environment.put("RINGSIDE_CAPACITY_BOUND_MICROS", "20000");
    environment.put("RINGSIDE_CAPACITY_FROM", "500");
    environment.put("RINGSIDE_CAPACITY_STEP_MILLIS", "2500");
    SearchOrders orders = new SearchOrders(new OrderSource(environment::get), BATCH);
    assertEquals(operations, orders.stepOperations(rate));
    Pace pace = new Pace(rate, BATCH, 0, 1);
    long end = orders.stepNanos(rate);
    assertTrue(pace.due(operations / BATCH - 1) < end, "the last is due in the step");
    assertTrue(pace.due(operations / BATCH + 1) >= end, "and of more than these, one at most");
  }
}
