package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.internal.work.Roster;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests which thread runs a request (inline, handed off, promoted), and that no request waits for
 * another connection's.
 */
@Timeout(180)
final class AdaptationTest {
  /** Blocks its callers until it is opened. */
  private static final class Gate {
    private final CountDownLatch open = new CountDownLatch(1);
    private final AtomicInteger waiting = new AtomicInteger();

    byte[] pass(byte[] argument) throws InterruptedException {
      waiting.incrementAndGet();
      open.await();
      return argument;
    }
  }

  @Test
  void shouldRunQuickMethodsWhereTheyAreRead() throws Exception {
    try (RunningServer server =
            new RunningServer(
                // Longer than any delay by other load on this machine.
                new TestService(),
                args -> args.inlineLimit(5, TimeUnit.SECONDS).blockedAfter(30, TimeUnit.SECONDS));
        Client client = server.connect()) {
      for (int i = 0; i < 100; i++) {
        client.call("echo", Bytes.of("quick"));
      }
      assertEquals(100, server.inline());
      assertEquals(0, server.handedOff());
    }
  }

  @Test
  void shouldServeNeighboursWhileARequestBlocksTheirOnlyLoop() throws Exception {
    Gate gate = new Gate();
    try (RunningServer server =
            new RunningServer(
                new TestService().on("block", gate::pass), args -> args.selectors(1));
        Client blocked = server.connect();
        Client neighbour = server.connect()) {
      int id = blocked.send("block", Bytes.of("later"));
      RunningServer.await("the request blocks", () -> gate.waiting.get() == 1);
      assertEquals("now", Bytes.text(neighbour.call("echo", Bytes.of("now"))));
      assertTrue(server.metrics().promotions.sum() >= 1);
      gate.open.countDown();
      assertEquals("later", Bytes.text(blocked.receive("block", id)));
      // The connection is back in its loop, whichever thread leads it.
      assertEquals("again", Bytes.text(blocked.call("echo", Bytes.of("again"))));
    }
  }

  @Test
  void shouldAnswerWhatAClientSendsWhileItsRequestBlocks() throws Exception {
    Gate gate = new Gate();
    try (RunningServer server =
            new RunningServer(
                new TestService().on("block", gate::pass), args -> args.selectors(1));
        Client client = server.connect();
        Client neighbour = server.connect()) {
      int first = client.send("block", Bytes.of("first"));
      RunningServer.await("the request blocks", () -> gate.waiting.get() == 1);
      // A loop with a new leader sees these bytes, and must leave them to the blocked thread.
      int second = client.send("echo", Bytes.of("second"));
      assertEquals("now", Bytes.text(neighbour.call("echo", Bytes.of("now"))));
      gate.open.countDown();
      assertEquals("first", Bytes.text(client.receive("block", first)));
      assertEquals("second", Bytes.text(client.receive("echo", second)));
    }
  }

  @Test
  void shouldHandOffAMethodThatWasCaughtBlocking() throws Exception {
    TestService service =
        new TestService()
            .after("sleep", () -> LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5)));
    try (RunningServer server =
            new RunningServer(service, args -> args.selectors(1).linger(0, TimeUnit.SECONDS));
        Client client = server.connect()) {
      int calls = 0;
      while (server.handedOff() < 40) {
        client.call("sleep", Bytes.of("zzz"));
        assertTrue(++calls < 2000, "it is never caught");
      }
      assertTrue(server.metrics().promotions.sum() > 0);
    }
  }

  /** The next request wakes this worker only, as with a thread per connection. */
  @Test
  void shouldKeepAWorkerWithAConnectionThatRestsWhereThreadsAreFew() throws Exception {
    Queue<Thread> servedBy = new ConcurrentLinkedQueue<>();
    TestService service =
        new TestService().after("block", () -> servedBy.add(Thread.currentThread()));
    try (RunningServer server =
            new RunningServer(service, args -> args.inlineLimit(0, TimeUnit.SECONDS));
        Client client = server.connect()) {
      client.call("block", Bytes.of("x"));
      Roster roster = server.server.core().workers.roster;
      RunningServer.await("it lingers", () -> roster.lingering() == 1);
      Thread.sleep(300); // the client's pause
      assertEquals(1, roster.lingering());
      client.call("block", Bytes.of("x"));
      assertEquals(1, new HashSet<>(servedBy).size());
      assertEquals(2, servedBy.size());
    }
  }

  @Test
  void shouldServeAsManyBlockingRequestsAtOnceAsThereAreWorkers() throws Exception {
    int workers = 6;
    Gate gate = new Gate();
    try (RunningServer server =
        new RunningServer(
            new TestService().on("block", gate::pass),
            args -> args.selectors(1).maxWorkers(workers))) {
      List<Client> clients = new ArrayList<>();
      for (int i = 0; i < workers; i++) {
        Client client = server.connect();
        client.send("block", Bytes.of("x"));
        clients.add(client);
      }
      RunningServer.await("all block at once", () -> gate.waiting.get() == workers);
      try (Client neighbour = server.connect()) {
        assertEquals("now", Bytes.text(neighbour.call("echo", Bytes.of("now"))));
      }
      gate.open.countDown();
      for (Client client : clients) {
        assertEquals("x", Bytes.text(client.receive("block", 1)));
        client.close();
      }
    }
  }

  @Test
  void shouldHoldRequestsBackWhileTheRingIsFullAndLoseNone() throws Exception {
    Gate gate = new Gate();
    int clients = 40;
    try (RunningServer server =
        new RunningServer(
            new TestService().on("block", gate::pass),
            args -> args.selectors(1).maxWorkers(2).ringSize(4).linger(0, TimeUnit.SECONDS))) {
      List<Client> all = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        Client client = server.connect();
        client.send("block", Bytes.of("number " + i));
        all.add(client);
      }
      RunningServer.await(
          "the ring is full", () -> server.server.core().workers.ring.occupancy() == 4);
      RunningServer.await(
          "a loop is held back", () -> server.server.core().workers.shortage.loops() == 1);
      gate.open.countDown();
      for (int i = 0; i < clients; i++) {
        assertEquals("number " + i, Bytes.text(all.get(i).receive("block", 1)));
        all.get(i).close();
      }
      RunningServer.await(
          "no loop is held back", () -> server.server.core().workers.shortage.loops() == 0);
      assertTrue(server.metrics().backpressureNanos.sum() > 0);
    }
  }

  @Test
  void shouldServeManyWithATinyRing() throws Exception {
    TestService service =
        new TestService()
            .after("sleep", () -> LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(500)));
    try (RunningServer server = new RunningServer(service, args -> args.ringSize(2))) {
      Load.run(server, 16, 20, "sleep", new Random(5));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 100})
  void shouldKeepTheOrderOfPipelinedRequestsOfAllKinds(long lingerMillis) throws Exception {
    TestService service = Load.moodyService();
    try (RunningServer server =
            new RunningServer(
                service,
                args ->
                    args.linger(lingerMillis, TimeUnit.MILLISECONDS)
                        .blockedAfter(200, TimeUnit.MICROSECONDS));
        Client client = server.connect()) {
      Random random = new Random(9);
      for (int round = 0; round < 20; round++) {
        List<String> methods = new ArrayList<>();
        List<byte[]> payloads = new ArrayList<>();
        List<Integer> ids = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
          String method = Load.METHODS.get(random.nextInt(Load.METHODS.size()));
          byte[] payload = Bytes.random(random, random.nextInt(2000));
          methods.add(method);
          payloads.add(payload);
          ids.add(client.send(method, payload));
        }
        for (int i = 0; i < 16; i++) {
          assertArrayEquals(payloads.get(i), client.receive(methods.get(i), ids.get(i)));
        }
      }
    }
  }

  /**
   * Tests the races of promotion and hand-off. Requests take about as long as the watchdog waits,
   * so leaders are deposed at all possible moments. Detects replies that are out of order, lost or
   * duplicated.
   */
  @Test
  void shouldAnswerEachRequestOnceWhileLeadersAreDeposedAtRandom() throws Exception {
    TestService service = Load.moodyService();
    try (RunningServer server =
        new RunningServer(
            service,
            args ->
                args.selectors(2)
                    .maxWorkers(12)
                    .ringSize(4)
                    .linger(2, TimeUnit.MILLISECONDS)
                    .blockedAfter(200, TimeUnit.MICROSECONDS))) {
      Load.run(server, 24, 60, null, new Random(11));
      assertTrue(server.metrics().promotions.sum() > 0);
      RunningServer.await("all are closed", () -> server.server.core().connections() == 0);
      assertEquals(0, server.server.core().run.requests.held());
    }
  }
}
