package dev.ringside.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers that stall at the end of a window or a phase. At a constant rate, all that was due is
 * done, late, and its response time counts from when it was due.
 */
@Timeout(120)
class StandstillTest {
  private static final int THREADS = 4;
  private static final long MILLI = 1_000_000;

  @TempDir Path folder;
  private final ThreadsClock clock = new ThreadsClock(THREADS);
  private LoadFixture load;
  private long from = Long.MAX_VALUE;
  private long until;
  private int stalled = 1;

  private final FakeServers servers =
      new FakeServers(
          (port, number) -> {
            if (port == stalled && clock.nanoTime() >= from && clock.nanoTime() < until) {
              clock.sleepUntil(until);
            }
            clock.pass(100_000);
          });

  @BeforeEach
  void offerThousandASecond() {
    load =
        new LoadFixture(folder)
            .by(clock)
            .with("RINGSIDE_THREADS", Integer.toString(THREADS), "RINGSIDE_TARGET_RATE", "1000")
            .with("RINGSIDE_DURATION_SECONDS", "1");
  }

  private void standStill(long fromMillis, long untilMillis) {
    from = fromMillis * MILLI;
    until = untilMillis * MILLI;
  }

  /** As in wrk2: of 1,000 operations, 701 were due while the server stalled. */
  @Test
  void shouldDoAllThatWasDueInAPhaseThatEndsInAStandstill() throws Exception {
    load.with("RINGSIDE_ENDPOINTS", "h:1");
    standStill(300, 1_050);
    assertEquals(0, load.run(servers), load::errors);
    assertEquals(1_000, load.summary("operations"));
    assertEquals(0, load.summary("errors"));
    Histogram response = load.times().get("READ-rt");
    assertEquals(1_000, response.getTotalCount());
    assertEquals(743 * MILLI, response.getValueAtPercentile(99), 10 * MILLI);
    assertEquals(750 * MILLI, response.getMaxValue(), 2 * MILLI);
    assertEquals(1_000, load.times().get("READ-wt").getTotalCount());
  }

  /** A phase that is bounded by operations has no end in time. */
  @Test
  void shouldDoAllThatWasOrderedInACountedPhase() throws Exception {
    load.with("RINGSIDE_ENDPOINTS", "h:1", "RINGSIDE_DURATION_SECONDS", "")
        .with("RINGSIDE_OPERATIONS", "1000");
    standStill(300, 40_000);
    assertEquals(0, load.run(servers), load::errors);
    assertEquals(1_000, load.summary("operations"));
    assertEquals(0, load.summary("not_begun"));
    Histogram response = load.times().get("READ-rt");
    assertEquals(39_700 * MILLI, response.getMaxValue(), 50 * MILLI);
  }

  /**
   * Four operations were in progress. Those that were due after them did not begin within 30 s
   * after the end.
   */
  @Test
  void shouldCountWhatItGaveUp() throws Exception {
    load.with("RINGSIDE_ENDPOINTS", "h:1");
    standStill(300, 31_000);
    assertEquals(0, load.run(servers), load::errors);
    assertEquals(304, load.summary("operations"));
    assertEquals(696, load.summary("not_begun"));
    interleaveTwo();
    load.with("RINGSIDE_PARAM_TIMEOUT_MS", "100").with("RINGSIDE_ENDPOINTS", "");
    long now = clock.nanoTime() / MILLI;
    stalled = windows().get(0).startsWith("a") ? 1 : 2;
    standStill(now + 200, now + 1_000);
    assertEquals(0, load.run(servers), load::errors);
    String still = stalled == 1 ? "a" : "b";
    assertEquals(500, load.summary(still + ".operations") + load.summary(still + ".not_begun"));
    assertEquals(48, load.summary(still + ".not_begun"), 3);
    assertEquals(0, load.summary((stalled == 1 ? "b" : "a") + ".not_begun"));
  }

  /**
   * Otherwise much of the tail latency would be waiting time in the load, while connections are
   * free.
   */
  @Test
  void shouldLetNothingWaitWhileAConnectionIsFree() throws Exception {
    load.with("RINGSIDE_ENDPOINTS", "h:1");
    AtomicBoolean slow = new AtomicBoolean(true);
    FakeServers uneven =
        new FakeServers(
            (port, number) -> clock.pass(slow.getAndSet(false) ? 900 * MILLI : 100_000));
    assertEquals(0, load.run(uneven), load::errors);
    assertEquals(1_000, load.summary("operations"));
    Map<String, Histogram> logged = load.times();
    assertEquals(0, logged.get("READ-wt").getMaxValue());
    assertEquals(100_000, logged.get("READ-rt").getValueAtPercentile(99.9), 1_000);
    long busiest = uneven.byConnection().stream().mapToLong(each -> each.get()).max().orElse(0);
    assertTrue(busiest < 350, "three connections take turns, and one of them did " + busiest);
  }

  /**
   * Each thread is a client: operations that are due on a connection to a silent node wait for it.
   */
  @Test
  void shouldLetWhatIsDueWaitForItsOwnConnectionWhereNodesAreLost() throws Exception {
    for (String bound : List.of("RINGSIDE_DURATION_SECONDS", "RINGSIDE_OPERATIONS")) {
      load.with("RINGSIDE_ENDPOINTS", "h:1", "RINGSIDE_FAILOVER", "true")
          .with("RINGSIDE_DURATION_SECONDS", "", "RINGSIDE_OPERATIONS", "")
          .with(bound, bound.endsWith("OPERATIONS") ? "1000" : "1");
      AtomicBoolean slow = new AtomicBoolean(true);
      FakeServers uneven =
          new FakeServers(
              (port, number) -> clock.pass(slow.getAndSet(false) ? 900 * MILLI : 100_000));
      assertEquals(0, load.run(uneven), load::errors);
      assertEquals(1_000, load.summary("operations"), bound);
      Histogram response = load.times().get("READ-rt");
      // Operations of one thread that were due in the 900 ms of its first operation.
      assertEquals(450 * MILLI, response.getValueAtPercentile(88.75), 30 * MILLI, bound);
      uneven.byConnection().forEach(each -> assertEquals(250, each.get(), bound));
    }
  }

  /**
   * A step that is behind at its end does not meet the objective; the times of late operations
   * count.
   */
  @Test
  void shouldCountWhatWasDueInAStepOfASearch() throws Exception {
    load.with("RINGSIDE_ENDPOINTS", "h:1", "RINGSIDE_TARGET_RATE", "")
        .with("RINGSIDE_DURATION_SECONDS", "4", "RINGSIDE_CAPACITY_PERCENTILE", "99")
        .with("RINGSIDE_CAPACITY_BOUND_MICROS", "50000", "RINGSIDE_CAPACITY_FROM", "1000")
        .with("RINGSIDE_CAPACITY_TO", "1000", "RINGSIDE_CAPACITY_STEP_MILLIS", "1000");
    standStill(997, 1_200);
    assertEquals(0, load.run(servers), load::errors);
    // Of 1,000 operations, five waited 200 ms: too few to affect the percentile.
    assertEquals(
        "rate=1000 operations=1000 errors=0 unanswered=0 not_begun=0 nanos=100031 kept=1", step(1));
    standStill(clock.nanoTime() / MILLI + 900, clock.nanoTime() / MILLI + 1_100);
    assertEquals(0, load.run(servers), load::errors);
    // A hundred operations waited for 100 to 200 ms.
    String all = "rate=1000 operations=1000 errors=0 unanswered=0 not_begun=0 nanos=(\\d+) kept=0";
    assertTrue(step(1).matches(all), step(1));
    assertEquals(190 * MILLI, Long.parseLong(step(1).replaceAll(all, "$1")), 2 * MILLI);
  }

  private String step(int number) throws IOException {
    return load.properties().getProperty("step." + number);
  }

  private void interleaveTwo() {
    load.with("RINGSIDE_ARMS", "a=h:1;b=h:2", "RINGSIDE_WINDOW_MILLIS", "250")
        .with("RINGSIDE_WARMUP_SECONDS", "0", "RINGSIDE_INTERLEAVE", "windows");
  }

  /** The window of the next server is not affected, because it begins after the last answer. */
  @Test
  void shouldDoAllThatWasDueInAWindowThatEndsInAStandstill() throws Exception {
    interleaveTwo();
    stalled = windows().get(0).startsWith("a") ? 1 : 2;
    String still = stalled == 1 ? "a" : "b";
    String other = stalled == 1 ? "b" : "a";
    standStill(200, 400);
    assertEquals(0, load.run(servers), load::errors);
    assertEquals(500, load.summary(still + ".operations"));
    assertEquals(500, load.summary(other + ".operations"));
    Histogram first = responses(still).get(0);
    assertEquals(250, first.getTotalCount(), "of its own window");
    assertEquals(200 * MILLI, first.getMaxValue(), 5 * MILLI);
    // Some 40 of 250 operations were due while the server stalled.
    assertEquals(170 * MILLI, first.getValueAtPercentile(95), 25 * MILLI);
    assertTrue(responses(still).get(1).getMaxValue() < MILLI, "its next window");
    responses(other)
        .forEach(
            line -> {
              assertEquals(250, line.getTotalCount());
              assertTrue(line.getMaxValue() < MILLI, "the other's windows: " + line.getMaxValue());
            });
    assertEquals(List.of(250L, 250L), lengths(other));
    // All four threads waited for operations in progress; two of them or more did the others.
    assertEquals(400, lengths(still).get(0), 25);
    assertEquals(250, lengths(still).get(1));
  }

  @Test
  void shouldDoAllThatWasDueInTheLastWindowOfAPhase() throws Exception {
    interleaveTwo();
    stalled = windows().get(3).startsWith("a") ? 1 : 2;
    String still = stalled == 1 ? "a" : "b";
    // The stall covers the end of the phase, which lasts 1,008 ms with its windows and lead times.
    standStill(900, 3_000);
    assertEquals(0, load.run(servers), load::errors);
    assertEquals(500, load.summary("a.operations"));
    assertEquals(500, load.summary("b.operations"));
    Histogram last = responses(still).get(1);
    assertEquals(250, last.getTotalCount());
    assertEquals(2_100 * MILLI, last.getMaxValue(), 10 * MILLI);
  }

  /** In a duet each side does all that was due on it. */
  @Test
  void shouldDoAllThatWasDueOnEachSideOfADuet() throws Exception {
    interleaveTwo();
    load.with("RINGSIDE_INTERLEAVE", "duet").with("RINGSIDE_BASELINE", "b");
    standStill(200, 400);
    assertEquals(0, load.run(servers), load::errors);
    assertEquals(500, load.summary("a.operations"));
    assertEquals(500, load.summary("b@a.operations"));
    assertEquals(200 * MILLI, responses("a").get(0).getMaxValue(), 10 * MILLI);
    assertTrue(responses("b@a").stream().allMatch(line -> line.getMaxValue() < MILLI));
  }

  /** Returns the servers of the windows, in their order. */
  private List<String> windows() {
    List<Arm> arms = List.of(new Arm("a", List.of()), new Arm("b", List.of()));
    return Schedule.of(arms, -1, 2, 7).stream()
        .map(Slot::toString)
        .map(text -> text.substring(1))
        .collect(Collectors.toList());
  }

  private List<Histogram> responses(String arm) throws IOException {
    return Logged.lines(load.log()).stream()
        .filter(line -> line.getTag().equals(arm + "/READ-rt"))
        .collect(Collectors.toList());
  }

  private List<Long> lengths(String arm) throws IOException {
    return responses(arm).stream()
        .map(line -> line.getEndTimeStamp() - line.getStartTimeStamp())
        .collect(Collectors.toList());
  }
}
