package dev.ringside.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlainLoadTest {
  @TempDir Path folder;
  private LoadFixture load;

  @BeforeEach
  void loadTwoNodes() {
    load = new LoadFixture(folder).with("RINGSIDE_ENDPOINTS", "h:1,h:2");
  }

  @Test
  void shouldDoEachOperationOnceOverAllThreads() throws Exception {
    load.with("RINGSIDE_OPERATIONS", "1000");
    FakeServers servers = new FakeServers((port, number) -> FakeServers.take(10 * port));
    assertEquals(0, load.run(servers), load::errors);
    assertEquals(1000, servers.numbers().size());
    assertTrue(servers.numbers().keySet().stream().allMatch(number -> number < 1000));
    assertTrue(servers.answered(1) > 0 && servers.answered(2) > 0);
    assertEquals(1000, load.times().get("READ-st").getTotalCount());
    assertEquals(1000, load.summary("operations"));
    assertEquals(1000, load.summary("keys"));
    assertEquals(0, load.summary("errors"));
    assertEquals(0, servers.open());
  }

  @Test
  void shouldCountFailedOperationsAndLogThemApart() throws Exception {
    load.with("RINGSIDE_OPERATIONS", "1000");
    FakeServers servers =
        new FakeServers(
            (port, number) -> {
              if (number % 10 == 0) {
                throw new IOException("timed out");
              }
            });
    assertEquals(0, load.run(servers), load::errors);
    assertEquals(900, load.summary("operations"));
    assertEquals(100, load.summary("errors"));
    assertEquals(100, load.summary("error.unknown"));
    assertEquals(900, load.times().get("READ-st").getTotalCount());
    assertEquals(100, load.times().get("READ-ft").getTotalCount());
    assertEquals(0, load.summary("logged_errors"));
    assertEquals(20, load.errors().lines().filter(line -> line.contains("timed out")).count());
  }

  @Test
  void shouldUseTheConnectionsOfEachThreadInTurn() throws Exception {
    load.with("RINGSIDE_OPERATIONS", "960").with("RINGSIDE_CONNECTIONS", "16");
    FakeServers servers = new FakeServers((port, number) -> FakeServers.take(50));
    assertEquals(0, load.run(servers), load::errors);
    assertEquals(16, servers.mostOpen());
    assertTrue(servers.mostBusy() <= 4, "no more at once than there are threads");
    assertEquals(16, servers.byConnection().size());
    long fewest = servers.byConnection().stream().mapToLong(each -> each.get()).min().orElse(0);
    assertTrue(fewest > 0, "every connection is used");
    assertEquals(960, load.summary("operations"));
    assertEquals(0, servers.open());
  }

  @Test
  void shouldCountOutcomesAndLogNoTimeOfWhatWasNotAnswered() throws Exception {
    load.with("RINGSIDE_OPERATIONS", "1000");
    Outcome[] fates = {
      Outcome.answered("hit"), Outcome.answered("miss"), Outcome.unanswered("lost")
    };
    assertEquals(0, load.run(mixed(fates)), load::errors);
    assertEquals(334, load.summary("outcome.hit"));
    assertEquals(333, load.summary("outcome.miss"));
    assertEquals(333, load.summary("outcome.lost"));
    assertEquals(333, load.summary("unanswered"));
    assertEquals(667, load.summary("operations"));
    assertEquals(0, load.summary("errors"));
    assertEquals(667, load.times().get("READ-st").getTotalCount());
  }

  @Test
  void shouldRefuseAnOutcomeThatCannotBeAName() {
    for (String name : new String[] {"", "Hit", "a.b", "1st", "a=b"}) {
      assertThrows(IllegalArgumentException.class, () -> Outcome.answered(name), name);
    }
  }

  private static FakeServers mixed(Outcome[] fates) {
    return new FakeServers((port, number) -> {}, (port, number) -> fates[(int) (number % 3)]);
  }

  @Test
  void shouldEndAfterItsTimeAtAConstantRate() throws Exception {
    load.with("RINGSIDE_DURATION_SECONDS", "1").with("RINGSIDE_TARGET_RATE", "500");
    assertEquals(0, load.run(new FakeServers((port, number) -> FakeServers.take(100))));
    Map<String, Histogram> logged = load.times();
    assertEquals(500, load.summary("operations"), 50);
    assertEquals(load.summary("operations"), logged.get("READ-rt").getTotalCount());
    assertEquals(load.summary("operations"), logged.get("READ-wt").getTotalCount());
  }

  @Test
  void shouldLeaveNoOperationUndoneByALostConnection() throws Exception {
    load.with("RINGSIDE_OPERATIONS", "1000");
    FakeServers servers =
        new FakeServers(
            (port, number) -> {
              FakeServers.take(100);
              if (number == 7) {
                throw new ConnectionLostException("reset by peer", null);
              }
            });
    assertEquals(0, load.run(servers), load::errors);
    assertEquals(999, load.summary("operations"));
    assertEquals(1, load.summary("errors"));
  }

  @Test
  void shouldFailWhenAllConnectionsAreGone() {
    load.with("RINGSIDE_OPERATIONS", "1000");
    FakeServers servers =
        new FakeServers(
            (port, number) -> {
              throw new ConnectionLostException("reset by peer", null);
            });
    assertEquals(LoadProcess.FAILED, load.run(servers));
    assertTrue(load.errors().contains("all connections to the server are gone"), load::errors);
  }

  @Test
  void shouldGoOnAtTheNextEndpointThatAnswersWhereItIsToldTo() throws Exception {
    load.with("RINGSIDE_ENDPOINTS", "h:1,h:2,h:3", "RINGSIDE_OPERATIONS", "1000")
        .with("RINGSIDE_THREADS", "3", "RINGSIDE_FAILOVER", "true");
    AtomicBoolean dead = new AtomicBoolean();
    FakeServers servers =
        new FakeServers(
            (port, number) -> {
              FakeServers.take(100);
              dead.compareAndSet(false, number >= 100);
              if (dead.get() && port < 3) {
                throw new ConnectionLostException("reset", new SocketException("reset"));
              }
            });
    Connector refusing =
        (endpoint, thread) -> {
          if (dead.get() && endpoint.port() < 3) {
            throw new ConnectException("refused");
          }
          return servers.connect(endpoint, thread);
        };
    assertEquals(0, load.run(refusing), load::errors);
    assertEquals(3, load.summary("errors"), "two are lost, and the first of them is refused once");
    assertEquals(2, load.summary("error.broken"));
    assertEquals(1, load.summary("error.refused"));
    assertEquals(997, load.summary("operations"));
    assertEquals(3, servers.opened(3).size(), "all went to the one that was left");
    assertEquals(0, servers.open());
  }

  @Test
  void shouldFailOverInNoWindowsAndNoSearch() {
    load.with("RINGSIDE_DURATION_SECONDS", "1", "RINGSIDE_FAILOVER", "true")
        .with("RINGSIDE_CAPACITY_PERCENTILE", "99");
    assertEquals(LoadProcess.BAD_ORDERS, load.run(null));
    assertTrue(load.errors().contains("RINGSIDE_FAILOVER is 'true'"), load::errors);
  }

  @Test
  void shouldSayThatItIsConnectedAndBeginAtTheInstantThatItIsTold() throws Exception {
    Path start = folder.resolve("start");
    load.with("RINGSIDE_OPERATIONS", "100").with("RINGSIDE_START", start.toString());
    FakeServers servers = new FakeServers((port, number) -> {});
    int[] status = {-1};
    Thread running = new Thread(() -> status[0] = load.run(servers));
    running.start();
    while (!Files.exists(folder.resolve("start.ready"))) {
      Thread.sleep(1);
    }
    assertEquals(4, servers.open(), "it is connected");
    assertEquals(0, servers.answered(1) + servers.answered(2), "and has asked for nothing");
    long at = System.currentTimeMillis() + 300;
    Path unfinished = folder.resolve("unfinished");
    Files.write(unfinished, (at + "\n").getBytes(StandardCharsets.UTF_8));
    Files.move(unfinished, start, StandardCopyOption.ATOMIC_MOVE);
    running.join();
    assertEquals(0, status[0], load::errors);
    assertTrue(Logged.lines(load.log()).get(0).getStartTimeStamp() >= at);
    assertEquals(100, load.summary("operations"));
  }

  @Test
  void shouldSayThatOrdersMakeNoSense() {
    assertEquals(LoadProcess.BAD_ORDERS, load.run(null));
    assertTrue(load.errors().startsWith("/load: set one of RINGSIDE_OPERATIONS"), load::errors);
  }
}
