package dev.ringside.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Searches with the objective that the queue does not grow. */
@Timeout(120)
class QueueSearchTest {
  @TempDir Path folder;
  private LoadFixture load;

  @BeforeEach
  void searchByTheQueue() {
    load =
        new LoadFixture(folder)
            .with("RINGSIDE_ENDPOINTS", "h:1")
            .with("RINGSIDE_DURATION_SECONDS", "8")
            .with("RINGSIDE_CAPACITY_PERCENTILE", "90")
            .with("RINGSIDE_CAPACITY_QUEUE", "received-done")
            .with("RINGSIDE_CAPACITY_FROM", "400")
            .with("RINGSIDE_CAPACITY_STEP_MILLIS", "400");
  }

  /** The server answers at once, so that no latency shows its queue. */
  @Test
  void shouldFindTheRateAtWhichTheStoresQueueBeginsToGrow() throws Exception {
    Taker store = new Taker(1_000);
    try (FakeCounters pod = new FakeCounters((number, id) -> store.counted(id))) {
      // Long enough for a search to recover from first steps that a busy machine disturbed.
      load.with("RINGSIDE_COUNTERS", pod.endpoint().toString())
          .with("RINGSIDE_DURATION_SECONDS", "20");
      assertEquals(0, load.run(new FakeServers((port, number) -> store.take())), load::errors);
    }
    long capacity = load.summary("capacity");
    assertTrue(capacity > 600 && capacity < 1_300, "found " + capacity + " in " + steps());
    assertTrue(steps().stream().anyMatch(step -> step.endsWith("kept=1")), "what decides is last");
  }

  @Test
  void shouldTellTheTrendOfEachStep() throws Exception {
    Taker store = new Taker(1_000);
    try (FakeCounters pod = new FakeCounters((number, id) -> store.counted(id))) {
      load.with("RINGSIDE_COUNTERS", pod.endpoint().toString())
          .with("RINGSIDE_CAPACITY_FROM", "2000")
          .with("RINGSIDE_DURATION_SECONDS", "1");
      assertEquals(0, load.run(new FakeServers((port, number) -> store.take())), load::errors);
    }
    String first = text("step.1");
    assertTrue(first.contains(" kept=0 queue_samples="), first);
    double growth = Double.parseDouble(first.replaceAll(".* growth=(\\S+).*", "$1"));
    assertTrue(growth > 500 && growth < 1_500, first);
    assertTrue(first.matches(".* growth_least=-?[0-9.]+ growth_most=[0-9.]+"), first);
  }

  /** A server that accepts only what it can process has its queue in the load. */
  @Test
  void shouldCountWhatWaitsInTheLoad() throws Exception {
    try (FakeCounters pod =
        new FakeCounters((number, id) -> "id " + id + "\nreceived 5\ndone 5\n")) {
      load.with("RINGSIDE_COUNTERS", pod.endpoint().toString())
          .with("RINGSIDE_CAPACITY_FROM", "4000")
          .with("RINGSIDE_DURATION_SECONDS", "1");
      assertEquals(
          0, load.run(new FakeServers((port, number) -> FakeServers.take(2_000))), load::errors);
    }
    String first = text("step.1");
    // Four threads begin at most 2,000 operations per second.
    double growth = Double.parseDouble(first.replaceAll(".* growth=(\\S+).*", "$1"));
    assertTrue(growth > 1_500 && first.contains("kept=0"), first);
  }

  @Test
  void shouldFailWhereTheStoreDoesNotTellItsQueue() throws Exception {
    try (FakeCounters pod = new FakeCounters((number, id) -> "id " + id + "\ncpu_ns 1\n")) {
      load.with("RINGSIDE_COUNTERS", pod.endpoint().toString());
      assertEquals(LoadProcess.FAILED, load.run(new FakeServers((port, number) -> {})));
      assertTrue(load.errors().contains("the store's pods do not tell received"), load::errors);
    }
    try (FakeCounters silent = new FakeCounters((number, id) -> null)) {
      load.with("RINGSIDE_COUNTERS", silent.endpoint().toString());
      assertEquals(LoadProcess.FAILED, load.run(new FakeServers((port, number) -> {})));
      assertTrue(load.errors().contains("did not tell their queue"), load::errors);
    }
  }

  @Test
  void shouldRefuseAQueueThatNobodyTellsOfAndABoundBesideIt() {
    assertEquals(LoadProcess.BAD_ORDERS, load.run(new FakeServers((port, number) -> {})));
    assertTrue(load.errors().contains("RINGSIDE_COUNTERS has ''"), load::errors);
    load.with("RINGSIDE_COUNTERS", "127.0.0.1:9")
        .with("RINGSIDE_CAPACITY_BOUND_MICROS", "1000")
        .with("RINGSIDE_CAPACITY_QUEUE", "received-");
    assertEquals(LoadProcess.BAD_ORDERS, load.run(new FakeServers((port, number) -> {})));
    for (String fault :
        List.of(
            "set one of RINGSIDE_CAPACITY_BOUND_MICROS and RINGSIDE_CAPACITY_QUEUE",
            "RINGSIDE_CAPACITY_QUEUE is 'received-': write names of counters")) {
      assertTrue(load.errors().contains(fault), load::errors);
    }
  }

  private String text(String name) throws Exception {
    Properties properties = new Properties();
    properties.load(Files.newBufferedReader(folder.resolve("summary")));
    return properties.getProperty(name);
  }

  private List<String> steps() throws Exception {
    return Files.readAllLines(folder.resolve("summary")).stream()
        .filter(line -> line.startsWith("step."))
        .map(line -> line.replaceAll(" queue_samples=.*", ""))
        .toList();
  }

  /** Accepts operations at once and processes them later, at a fixed rate. */
  private static final class Taker {
    private final double perNano;
    private long received;
    private double queue;
    private long asOf = System.nanoTime();

    Taker(int perSecond) {
      perNano = perSecond / 1e9;
    }

    synchronized void take() {
      pass();
      received++;
      queue++;
    }

    synchronized String counted(String id) {
      pass();
      long waiting = (long) Math.ceil(queue);
      return "id " + id + "\nreceived " + received + "\ndone " + (received - waiting) + "\n";
    }

    private void pass() {
      long now = System.nanoTime();
      queue = Math.max(0, queue - perNano * (now - asOf));
      asOf = now;
    }
  }
}
