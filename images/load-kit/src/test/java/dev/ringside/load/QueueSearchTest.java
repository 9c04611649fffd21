package dev.ringside.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
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
            .with("RINGSIDE_ENDPOINTS", "h:1", "RINGSIDE_DURATION_SECONDS", "8")
            .with("RINGSIDE_CAPACITY_PERCENTILE", "90", "RINGSIDE_CAPACITY_QUEUE", "received-done")
            .with("RINGSIDE_CAPACITY_FROM", "400")
            // On a busy machine, a pause took 100 ms, and one reading of the counters 350 ms.
            .with("RINGSIDE_CAPACITY_STEP_MILLIS", "1000");
  }

  /** The server answers at once, so that no latency shows its queue. */
  @Test
  void shouldFindTheRateAtWhichTheStoresQueueBeginsToGrow() throws Exception {
    Taker store = new Taker(1_000);
    try (FakeCounters pod = new FakeCounters((number, id) -> store.counted(id))) {
      // Long enough for a search to recover from first steps that a busy machine disturbed.
      load.with("RINGSIDE_COUNTERS", pod.endpoint().toString(), "RINGSIDE_DURATION_SECONDS", "30");
      assertEquals(0, load.run(new FakeServers((port, number) -> store.take())), load::errors);
    }
    long capacity = load.summary("capacity");
    assertTrue(capacity > 600 && capacity < 1_300, "found " + capacity + " in " + steps());
    assertTrue(steps().stream().anyMatch(step -> step.endsWith("kept=1")), "what decides is last");
  }

  @Test
  void shouldTellTheTrendOfEachStep() throws Exception {
    AtomicLong received = new AtomicLong();
    // Half of what arrives waits, however long it takes: 1,000 more per second at a rate of 2,000.
    try (FakeCounters pod =
        new FakeCounters(
            (number, id) -> {
              long now = received.get();
              return "id " + id + "\nreceived " + now + "\ndone " + now / 2 + "\n";
            })) {
      load.with("RINGSIDE_COUNTERS", pod.endpoint().toString(), "RINGSIDE_CAPACITY_FROM", "2000")
          .with("RINGSIDE_DURATION_SECONDS", "6");
      assertEquals(
          0, load.run(new FakeServers((port, number) -> received.incrementAndGet())), load::errors);
    }
    List<String> steps = told("step.");
    assertTrue(steps.stream().allMatch(step -> step.contains(" kept=0 queue_samples=")), text());
    assertTrue(
        steps.stream()
            .mapToDouble(step -> number("growth", step) / number("rate", step))
            .anyMatch(growth -> growth > 0.25 && growth < 0.75),
        text());
    assertTrue(
        steps.stream()
            .allMatch(step -> step.matches(".* growth_least=-?[0-9.]+ growth_most=-?[0-9.]+")),
        text());
  }

  @Test
  void shouldWatchOnlyTheQueueOfTheStepsArm() throws Exception {
    long begun = System.nanoTime();
    // Grows by the clock alone, by 100,000 per second: a machine that pauses does not change that.
    try (FakeCounters slow =
            new FakeCounters(
                (number, id) ->
                    "id "
                        + id
                        + "\nreceived "
                        + (System.nanoTime() - begun) / 10_000
                        + "\ndone 0\n");
        FakeCounters quick =
            new FakeCounters("127.0.0.2", (number, id) -> "id " + id + "\nreceived 5\ndone 5\n")) {
      load.with("RINGSIDE_ENDPOINTS", "", "RINGSIDE_ARMS", "slow=127.0.0.1:1;quick=127.0.0.2:2")
          .with("RINGSIDE_WINDOW_MILLIS", "100", "RINGSIDE_WARMUP_SECONDS", "0")
          .with("RINGSIDE_COUNTERS", slow.endpoint() + "," + quick.endpoint())
          .with("RINGSIDE_CAPACITY_FROM", "2000", "RINGSIDE_DURATION_SECONDS", "8");
      assertEquals(0, load.run(new FakeServers((port, number) -> {})), load::errors);
    }
    assertTrue(
        told("slow.step.").stream().allMatch(step -> number("growth", step) > 50_000), text());
    assertTrue(
        told("quick.step.").stream().allMatch(step -> number("growth", step) < 50_000), text());
  }

  /** A server that accepts only what it can process has its queue in the load. */
  @Test
  void shouldCountWhatWaitsInTheLoad() throws Exception {
    try (FakeCounters pod =
        new FakeCounters((number, id) -> "id " + id + "\nreceived 5\ndone 5\n")) {
      load.with("RINGSIDE_COUNTERS", pod.endpoint().toString(), "RINGSIDE_CAPACITY_FROM", "16000")
          .with("RINGSIDE_DURATION_SECONDS", "8");
      assertEquals(
          0, load.run(new FakeServers((port, number) -> FakeServers.take(2_000))), load::errors);
    }
    // Four threads begin at most 2,000 operations per second.
    assertTrue(
        told("step.").stream()
            .filter(step -> number("rate", step) >= 4_000)
            .anyMatch(
                step ->
                    number("growth", step) > number("rate", step) - 2_500
                        && step.contains("kept=0")),
        text());
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
    load.with("RINGSIDE_COUNTERS", "127.0.0.1:9", "RINGSIDE_CAPACITY_BOUND_MICROS", "1000")
        .with("RINGSIDE_CAPACITY_QUEUE", "received-");
    assertEquals(LoadProcess.BAD_ORDERS, load.run(new FakeServers((port, number) -> {})));
    for (String fault :
        List.of(
            "set one of RINGSIDE_CAPACITY_BOUND_MICROS and RINGSIDE_CAPACITY_QUEUE",
            "RINGSIDE_CAPACITY_QUEUE is 'received-': write names of counters")) {
      assertTrue(load.errors().contains(fault), load::errors);
    }
  }

  /**
   * Returns the steps with a trend. A machine that pauses for most of a step leaves too few samples
   * for one, so that no step by itself is certain to have it.
   */
  private List<String> told(String prefix) throws Exception {
    List<String> told =
        text()
            .lines()
            .filter(line -> line.startsWith(prefix) && line.contains(" growth="))
            .toList();
    assertFalse(told.isEmpty(), text());
    return told;
  }

  private static double number(String name, String step) {
    return Double.parseDouble(step.replaceAll(".*[ =]" + name + "=(\\S+).*", "$1"));
  }

  private String text() throws Exception {
    return Files.readString(folder.resolve("summary"));
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
