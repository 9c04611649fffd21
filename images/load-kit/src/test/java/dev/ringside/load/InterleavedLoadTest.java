package dev.ringside.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InterleavedLoadTest {
  @TempDir Path folder;
  private LoadFixture load;

  @BeforeEach
  void interleaveFourArms() {
    load =
        new LoadFixture(folder)
            .with("RINGSIDE_ARMS", "a=h:1;b=h:2;c=h:3;d=h:4", "RINGSIDE_WINDOW_MILLIS", "1")
            .with("RINGSIDE_DURATION_SECONDS", "1", "RINGSIDE_WARMUP_SECONDS", "0")
            .with("RINGSIDE_INTERLEAVE", "windows");
  }

  /** With 3000 switches, each operation of a server is logged once, in the lines of its arm. */
  @Test
  void shouldLoseNoOperationAndCountNoneTwice() throws Exception {
    load.with("RINGSIDE_DURATION_SECONDS", "3");
    FakeServers servers = new FakeServers(InterleavedLoadTest::sometimesFail);
    assertEquals(0, load.run(servers), load::errors);
    assertEquals(Set.of(), servers.together(), "arms that were loaded at the same moment");
    Map<String, Histogram> logged = load.times();
    for (int port = 1; port <= 4; port++) {
      String arm = "_abcd".substring(port, port + 1);
      assertTrue(servers.answered(port) > 100);
      assertEquals(servers.answered(port), logged.get(arm + "/READ-st").getTotalCount());
      assertEquals(servers.answered(port), load.summary(arm + ".operations"));
      assertEquals(servers.failed(port), load.summary(arm + ".errors"));
      Histogram failed = logged.getOrDefault(arm + "/READ-ft", new Histogram(3));
      assertEquals(servers.failed(port), failed.getTotalCount());
      assertTrue(servers.failed(port) == 0 || failed.getMinValue() >= 30_000_000_000L * 0.999);
      assertEquals(0, load.summary(arm + ".logged_errors"));
    }
    assertEquals(Map.of("a", 750L, "b", 750L, "c", 750L, "d", 750L), linesByArm());
    assertTrue(servers.numbers().values().stream().allMatch(times -> times == 1));
    assertEquals(0, servers.open());
  }

  /** A load writes its keys by the numbers: each store gets all of them, in the same order. */
  @Test
  void shouldNumberTheOperationsOfEachStoreByThemselves() throws Exception {
    load.with("RINGSIDE_ARMS", "a=g:1;b=h:2;c=g:3");
    Map<String, AtomicLong> greatest = new ConcurrentHashMap<>();
    FakeServers servers =
        new FakeServers(
            (port, number) ->
                greatest
                    .computeIfAbsent(port == 2 ? "h" : "g", any -> new AtomicLong())
                    .accumulateAndGet(number, Math::max));
    assertEquals(0, load.run(servers), load::errors);
    assertEquals(servers.answered(1) + servers.answered(3), greatest.get("g").get() + 1);
    assertEquals(servers.answered(2), greatest.get("h").get() + 1);
  }

  @Test
  void shouldCountOutcomesOfEachArm() throws Exception {
    Outcome hit = Outcome.answered("hit");
    Outcome lost = Outcome.unanswered("lost");
    FakeServers servers =
        new FakeServers(
            (port, number) -> FakeServers.take(200),
            (port, number) -> port == 2 && number % 2 == 0 ? lost : hit);
    assertEquals(0, load.run(servers), load::errors);
    assertEquals(servers.answered(1), load.summary("a.outcome.hit"));
    assertEquals(servers.answered(1), load.summary("a.operations"));
    assertEquals(0, load.summary("a.unanswered"));
    assertEquals(
        servers.answered(2), load.summary("b.outcome.hit") + load.summary("b.outcome.lost"));
    assertTrue(load.summary("b.outcome.lost") > 0);
    assertEquals(load.summary("b.outcome.lost"), load.summary("b.unanswered"));
    assertEquals(load.summary("b.outcome.hit"), load.times().get("b/READ-st").getTotalCount());
  }

  @Test
  void shouldLogLinesInTheOrderOfTheSchedule() throws Exception {
    assertEquals(0, load.run(new FakeServers((port, number) -> FakeServers.take(100))));
    List<Arm> arms = List.of(arm("a"), arm("b"), arm("c"), arm("d"));
    assertEquals(
        Schedule.of(arms, -1, 250, 7).stream()
            .map(slot -> slot.sides().get(0).label() + "/READ-st")
            .toList(),
        Logged.lines(load.log()).stream().map(Histogram::getTag).toList());
  }

  @Test
  void shouldLogNothingOfTheWarmup() throws Exception {
    load.with("RINGSIDE_WARMUP_SECONDS", "1");
    FakeServers servers = new FakeServers((port, number) -> FakeServers.take(200));
    assertEquals(0, load.run(servers), load::errors);
    assertEquals(Map.of("a", 250L, "b", 250L, "c", 250L, "d", 250L), linesByArm());
    double asked = servers.answered(1);
    double logged = load.times().get("a/READ-st").getTotalCount();
    assertEquals(0.5, logged / asked, 0.15, "one of two seconds is logged");
    assertEquals(logged, load.summary("a.operations"));
  }

  /**
   * The lead-in loads the same servers as the window that follows, and is neither logged nor
   * counted.
   */
  @Test
  void shouldLogNothingOfTheLeadIns() throws Exception {
    ThreadsClock clock = new ThreadsClock(4);
    load.by(clock)
        .with("RINGSIDE_WINDOW_MILLIS", "20", "RINGSIDE_LEAD_IN_MILLIS", "30")
        .with("RINGSIDE_INTERLEAVE", "duet", "RINGSIDE_BASELINE", "b");
    FakeServers servers = new FakeServers((port, number) -> clock.pass(2_000_000));
    assertEquals(0, load.run(servers), load::errors);
    // A second has six blocks of three windows of 50 ms, of which 20 ms are measured.
    assertEquals(Map.of("a", 6L, "b@a", 6L, "c", 6L, "b@c", 6L, "d", 6L, "b@d", 6L), linesByArm());
    // Each of two threads does 10 operations in a window, and 15 in its lead-in.
    assertEquals(6 * 2 * 10, load.summary("a.operations"));
    assertEquals(6 * 2 * 10, load.times().get("a/READ-st").getTotalCount());
    assertEquals(6 * 2 * (10 + 15), servers.answered(1));
    assertEquals(3 * 6 * 2 * (10 + 15), servers.answered(2));
  }

  /** The length of a line is the threads' time: operations × service time ÷ threads. */
  @Test
  void shouldLogTheMeanOfTheThreadsTimeAsTheLengthOfAWindow() throws Exception {
    ThreadsClock clock = new ThreadsClock(4);
    load.by(clock).with("RINGSIDE_WINDOW_MILLIS", "50");
    FakeServers servers = new FakeServers((port, number) -> clock.pass(20_000_000L * port));
    assertEquals(0, load.run(servers), load::errors);
    Map<String, Integer> lasts = Map.of("a", 60, "b", 80, "c", 60, "d", 80);
    for (Histogram line : Logged.lines(load.log())) {
      double millis = line.getEndTimeStamp() - line.getStartTimeStamp();
      double service = line.getTotalCount() * line.getMean() / 1e6 / 4;
      int exactly = lasts.get(line.getTag().substring(0, 1));
      assertEquals(exactly, service, 0.1, line.getTag());
      // The reader truncates the log's times to whole milliseconds.
      assertEquals(exactly, millis, 1, line.getTag());
    }
  }

  @Test
  void shouldLoadTwoServersAtOnceInADuet() throws Exception {
    load.with("RINGSIDE_INTERLEAVE", "duet").with("RINGSIDE_BASELINE", "b");
    FakeServers servers = new FakeServers(InterleavedLoadTest::sometimesFail);
    assertEquals(0, load.run(servers), load::errors);
    assertEquals(Set.of("1+2", "2+3", "2+4"), servers.together());
    Map<String, Histogram> logged = load.times();
    assertEquals(6, logged.keySet().stream().filter(tag -> tag.endsWith("-st")).count());
    long beside = 0;
    long errors = 0;
    for (String other : List.of("a", "c", "d")) {
      long operations = load.summary("b@" + other + ".operations");
      assertEquals(operations, logged.get("b@" + other + "/READ-st").getTotalCount());
      beside += operations;
      errors += load.summary("b@" + other + ".errors");
    }
    assertEquals(servers.answered(2), beside);
    assertEquals(servers.failed(2), errors);
    assertEquals(servers.answered(3), load.summary("c.operations"));
  }

  @Test
  void shouldKeepAConstantRateInEachWindow() throws Exception {
    ThreadsClock clock = new ThreadsClock(4);
    load.by(clock)
        .with("RINGSIDE_WINDOW_MILLIS", "100", "RINGSIDE_DURATION_SECONDS", "2")
        .with("RINGSIDE_TARGET_RATE", "1000");
    FakeServers servers = new FakeServers((port, number) -> clock.pass(500_000));
    assertEquals(0, load.run(servers), load::errors);
    Map<String, Histogram> logged = load.times();
    for (String arm : List.of("a", "b", "c", "d")) {
      // 5 windows of 100 ms with 100 operations each.
      assertEquals(500, logged.get(arm + "/READ-st").getTotalCount(), arm);
      assertEquals(500, logged.get(arm + "/READ-rt").getTotalCount(), arm);
      assertEquals(500, logged.get(arm + "/READ-wt").getTotalCount(), arm);
      assertEquals(500_000, logged.get(arm + "/READ-rt").getMaxValue(), 1_000, arm);
      assertEquals(0, logged.get(arm + "/READ-wt").getMaxValue(), arm);
    }
  }

  @Test
  void shouldGoOnWithoutAConnectionThatWasLostAndCountIt() throws Exception {
    FakeServers servers =
        new FakeServers(
            (port, number) -> {
              if (port == 2 && number > 100 && Thread.currentThread().getName().equals("load-0")) {
                throw new ConnectionLostException("reset by peer", null);
              }
              FakeServers.take(100);
            });
    assertEquals(0, load.run(servers), load::errors);
    assertEquals(1, servers.failed(2), "a lost connection is not used again");
    assertTrue(load.errors().contains("b at h:2: "), load::errors);
    assertTrue(load.errors().contains("reset by peer"), load::errors);
    assertTrue(load.summary("b.errors") > 50, "each window tells that a thread was idle");
    assertEquals(1, load.summary("b.error.unknown"));
    assertEquals(load.summary("b.errors") - 1, load.summary("b.error.unconnected"));
    assertEquals(0, load.summary("a.errors"));
  }

  /**
   * As in a round of its own: all connections are closed first, and the first request on each new
   * one is not counted.
   */
  @Test
  void shouldOpenConnectionsAnewBetweenPieces() throws Exception {
    load.with("RINGSIDE_RECONNECT_BLOCKS", "100,200");
    FakeServers servers = new FakeServers((port, number) -> FakeServers.take(200));
    assertEquals(0, load.run(servers), load::errors);
    assertEquals(Map.of("a", 250L, "b", 250L, "c", 250L, "d", 250L), linesByArm());
    for (int port = 1; port <= 4; port++) {
      assertEquals(3 * 4, servers.opened(port).size());
      String tag = "_abcd".charAt(port) + "/READ-st";
      List<Histogram> windows =
          Logged.lines(load.log()).stream().filter(line -> line.getTag().equals(tag)).toList();
      int[] bounds = {0, 100, 200, 250};
      for (int piece = 0; piece < 3; piece++) {
        long logged =
            windows.subList(bounds[piece], bounds[piece + 1]).stream()
                .mapToLong(Histogram::getTotalCount)
                .sum();
        long asked =
            servers.opened(port).subList(4 * piece, 4 * piece + 4).stream()
                .mapToLong(AtomicLong::get)
                .sum();
        assertEquals(asked - (piece == 0 ? 0 : 4), logged, tag + " in piece " + piece);
      }
    }
    assertEquals(16, servers.mostOpen());
    assertEquals(0, servers.busyWhileOpening());
    assertEquals(0, servers.open());
  }

  @Test
  void shouldOpenAllConnectionsOfAThreadAnew() throws Exception {
    load.with("RINGSIDE_RECONNECT_BLOCKS", "1").with("RINGSIDE_CONNECTIONS", "10");
    FakeServers servers = new FakeServers((port, number) -> FakeServers.take(200));
    assertEquals(0, load.run(servers), load::errors);
    assertEquals(20, servers.opened(1).size());
    assertTrue(
        servers.opened(1).stream().skip(10).allMatch(asked -> asked.get() > 0), "each is greeted");
  }

  @Test
  void shouldOpenALostConnectionAnewWithTheOthers() throws Exception {
    ThreadsClock clock = new ThreadsClock(4);
    AtomicBoolean lost = new AtomicBoolean();
    FakeServers servers =
        new FakeServers(
            (port, number) -> {
              if (port == 2 && lost.compareAndSet(false, true)) {
                throw new ConnectionLostException("reset by peer", null);
              }
              clock.pass(100_000);
            });
    load.by(clock).with("RINGSIDE_RECONNECT_BLOCKS", "50");
    assertEquals(0, load.run(servers), load::errors);
    assertEquals(50, load.summary("b.errors"), "all windows of the first piece, and no other");
    assertEquals(8, servers.opened(2).size());
  }

  @Test
  void shouldFailWhenAServerCannotBeReachedAgain() {
    AtomicInteger connects = new AtomicInteger();
    FakeServers servers = new FakeServers((port, number) -> FakeServers.take(100));
    Connector away =
        (endpoint, thread) -> {
          if (connects.incrementAndGet() > 20) {
            throw new IOException("connection refused");
          }
          return servers.connect(endpoint, thread);
        };
    load.with("RINGSIDE_RECONNECT_BLOCKS", "10");
    assertEquals(LoadProcess.FAILED, load.run(away));
    assertTrue(load.errors().contains("cannot connect to h:"), load::errors);
    assertEquals(0, servers.open());
  }

  /** At its first connections, and at those that were opened again. */
  @ParameterizedTest
  @CsvSource({"'', 500", "'10,20,30', 2000"})
  void shouldFailWhenAllConnectionsOfAnArmAreGone(String reconnects, int operations) {
    FakeServers servers =
        new FakeServers(
            (port, number) -> {
              FakeServers.take(100);
              if (port == 3 && number > operations) {
                throw new ConnectionLostException("reset by peer", null);
              }
            });
    load.with("RINGSIDE_RECONNECT_BLOCKS", reconnects);
    assertEquals(LoadProcess.FAILED, load.run(servers));
    assertTrue(load.errors().contains("all connections to c are gone"), load::errors);
    assertEquals(0, servers.open());
  }

  @Test
  void shouldFailWhenAServerCannotBeReached() {
    Connector refused =
        (endpoint, thread) -> {
          throw new IOException("connection refused");
        };
    assertEquals(LoadProcess.FAILED, load.run(refused));
    assertTrue(load.errors().contains("cannot connect to h:1: "), load::errors);
  }

  @Test
  void shouldFailWhenAThreadDoes() {
    FakeServers servers =
        new FakeServers(
            (port, number) -> {
              FakeServers.take(100);
              if (number == 500) {
                throw new StackOverflowError();
              }
            });
    assertEquals(LoadProcess.FAILED, load.run(servers));
    assertTrue(load.errors().contains("a thread of the load failed"), load::errors);
    assertFalse(
        Thread.getAllStackTraces().keySet().stream()
            .anyMatch(thread -> thread.getName().startsWith("load-") && thread.isAlive()));
  }

  private Map<String, Long> linesByArm() throws IOException {
    return Logged.lines(load.log()).stream()
        .filter(line -> !line.getTag().endsWith("-ft"))
        .collect(
            Collectors.groupingBy(
                line -> line.getTag().substring(0, line.getTag().indexOf('/')),
                Collectors.counting()));
  }

  private static void sometimesFail(int port, long number) throws IOException {
    FakeServers.take(ThreadLocalRandom.current().nextInt(300));
    if (number % 50 == 0) {
      throw new IOException("refused");
    }
  }

  private static Arm arm(String name) {
    return new Arm(name, List.of());
  }
}
