package dev.ringside.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CapacityLoadTest {
  private static final int THREADS = 4;

  @TempDir Path folder;
  private final ThreadsClock clock = new ThreadsClock(THREADS);
  private LoadFixture load;

  @BeforeEach
  void searchForCapacities() {
    load =
        new LoadFixture(folder)
            .by(clock)
            .with("RINGSIDE_THREADS", Integer.toString(THREADS), "RINGSIDE_DURATION_SECONDS", "6")
            .with("RINGSIDE_CAPACITY_PERCENTILE", "90", "RINGSIDE_CAPACITY_BOUND_MICROS", "50000")
            .with("RINGSIDE_CAPACITY_FROM", "400", "RINGSIDE_CAPACITY_STEP_MILLIS", "250");
  }

  /** The queue of a server with a limited rate grows above that rate. */
  @Test
  void shouldFindTheRateThatAServerKeepsUpWith() throws Exception {
    load.with("RINGSIDE_ENDPOINTS", "h:1");
    FakeServers servers = new FakeServers(new Limited(Map.of(1, 1_000)));
    assertEquals(0, load.run(servers), load::errors);
    long capacity = load.summary("capacity");
    // The condition that 99% of the operations begin in time decides: at 1,200/s, 50 of a step's
    // 300 operations wait at its end, for 42 ms, which is within the bound.
    assertTrue(capacity > 900 && capacity < 1_100, "found " + capacity);
    Map<Integer, Map<String, Long>> steps = steps("");
    assertTrue(steps.size() >= 5, steps::toString);
    long first = steps.get(1).get("rate");
    assertTrue(first >= 400 && first < 800, "began at " + first);
    assertEquals(1, steps.get(1).get("kept"));
    Map<String, Histogram> logged = load.times();
    long operations = 0;
    for (Map.Entry<Integer, Map<String, Long>> step : steps.entrySet()) {
      Histogram response = logged.get("READ@" + step.getKey() + "-rt");
      assertEquals(step.getValue().get("operations"), response.getTotalCount());
      assertEquals(step.getValue().get("nanos"), response.getValueAtPercentile(90));
      operations += response.getTotalCount();
      if (step.getValue().get("kept") == 1) {
        assertTrue(response.getValueAtPercentile(90) <= 50_000_000);
      }
    }
    assertEquals(load.summary("operations"), operations);
    assertEquals(servers.answered(1), operations);
    assertEquals(0, servers.open());
  }

  @Test
  void shouldSearchForEachServerByItselfInOneLoad() throws Exception {
    load.with("RINGSIDE_ARMS", "slow=h:1;fast=h:2", "RINGSIDE_DURATION_SECONDS", "10")
        .with("RINGSIDE_WARMUP_SECONDS", "0");
    FakeServers servers = new FakeServers(new Limited(Map.of(1, 500, 2, 1_500)));
    assertEquals(0, load.run(servers), load::errors);
    long slow = load.summary("slow.capacity");
    long fast = load.summary("fast.capacity");
    assertTrue(slow > 450 && slow < 550, "found " + slow);
    assertTrue(fast > 1_350 && fast < 1_650, "found " + fast);
    assertEquals(java.util.Set.of(), servers.together(), "servers loaded at the same moment");
    assertEquals(servers.answered(1), load.summary("slow.operations"));
    assertEquals(servers.answered(2), load.summary("fast.operations"));
    assertTrue(load.times().containsKey("slow/READ@1-wt"));
    assertTrue(steps("fast.").size() >= 5);
    assertNotEquals(steps("slow.").get(1).get("rate"), steps("fast.").get(1).get("rate"));
  }

  @Test
  void shouldKeepNoRateAtWhichOperationsFail() throws Exception {
    load.with("RINGSIDE_ENDPOINTS", "h:1").with("RINGSIDE_DURATION_SECONDS", "2");
    FakeServers servers =
        new FakeServers(
            (port, number) -> {
              if (number % 3 == 0) {
                throw new IOException("refused");
              }
            });
    assertEquals(0, load.run(servers), load::errors);
    assertEquals(0, load.summary("capacity"));
    assertTrue(steps("").values().stream().allMatch(step -> step.get("kept") == 0));
    assertTrue(steps("").get(1).get("errors") > 0);
  }

  /**
   * Otherwise a step of few operations would fail for a fraction of an operation that is never due.
   */
  @ParameterizedTest
  @CsvSource({"9, 22", "20, 50", "7, 20", "3, 20", "101, 252", "100000000, 250000000"})
  void shouldAskForWholeOperations(int rate, long operations) {
    SearchOrders orders = orders("50", Map.of("RINGSIDE_CAPACITY_STEP_MILLIS", "2500"));
    assertEquals(operations, orders.stepOperations(rate));
    Pace pace = new Pace(rate);
    long end = orders.stepNanos(rate);
    assertTrue(pace.due(operations - 1) < end, "the last is due in the step");
    assertTrue(pace.due(operations + 1) >= end, "and of more than these, one at most");
  }

  @Test
  void shouldMakeAStepLongEnoughForItsPercentile() {
    SearchOrders orders = orders("99.9", Map.of());
    // Ten values above the 99.9th percentile need 10,000 operations.
    assertEquals(20e9, orders.stepNanos(500), 1e6);
    assertEquals(5e9, orders.stepNanos(20_000), 1e6);
  }

  private static SearchOrders orders(String percentile, Map<String, String> others) {
    Map<String, String> environment = new HashMap<>(others);
    environment.put("RINGSIDE_CAPACITY_PERCENTILE", percentile);
    environment.put("RINGSIDE_CAPACITY_BOUND_MICROS", "20000");
    environment.put("RINGSIDE_CAPACITY_FROM", "500");
    OrderSource in = new OrderSource(environment::get);
    SearchOrders orders = new SearchOrders(in, 1);
    in.check();
    return orders;
  }

  /** Returns the steps by number, without the prefix of their names. */
  private Map<Integer, Map<String, Long>> steps(String prefix) throws IOException {
    Properties properties = load.properties();
    Map<Integer, Map<String, Long>> steps = new TreeMap<>();
    for (String name : properties.stringPropertyNames()) {
      if (!name.startsWith(prefix + "step.")) {
        continue;
      }
      Map<String, Long> step = new HashMap<>();
      for (String pair : properties.getProperty(name).split(" ")) {
        String[] parts = pair.split("=");
        step.put(parts[0], Long.parseLong(parts[1]));
      }
      steps.put(Integer.parseInt(name.substring((prefix + "step.").length())), step);
    }
    return steps;
  }

  /**
   * Servers that answer a limited number of operations per second: each connection has an equal
   * share and does one operation after the other.
   */
  private final class Limited implements FakeServers.Behaviour {
    private final Map<Integer, Integer> rates;

    Limited(Map<Integer, Integer> rates) {
      this.rates = rates;
    }

    @Override
    public void answer(int port, long number) {
      clock.pass(THREADS * 1_000_000_000L / rates.get(port));
    }
  }
}
