package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.thrift.transport.TNonblockingServerSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.condition.OS;

@Timeout(180)
final class DrainTest {
  private final CountDownLatch release = new CountDownLatch(1);
  private final AtomicInteger entered = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();
  private final ExecutorService callers = Executors.newCachedThreadPool();

  @AfterEach
  void endThreads() {
    release.countDown();
    callers.shutdownNow();
  }

  /** Returns a service with a method that returns when it is released. */
  private TestService service() {
    return new TestService()
        .on(
            "wait",
            argument -> {
              entered.incrementAndGet();
              release.await();
              return argument;
            });
  }

  private void countClosed(TDisruptorServer.Args args) {
    args.connectionListener(
        new ConnectionListener() {
          @Override
          public void closed(SocketAddress client) {
            closed.incrementAndGet();
          }
        });
  }

  private Future<Integer> drain(RunningServer server, long hours) {
    return callers.submit(() -> server.server.drain(hours, TimeUnit.HOURS));
  }

  /**
   * Waits until requests are running, then drains and waits until the server accepts no
   * connections.
   */
  private Future<Integer> drainWithRequests(RunningServer server, int requests) throws Exception {
    RunningServer.await("they are under way", () -> entered.get() == requests);
    Future<Integer> drain = drain(server, 1);
    RunningServer.await("it accepts nothing", () -> !server.server.core().admission.isOpen());
    return drain;
  }

  @Test
  void shouldAnswerWhatIsUnderWayAndWhatComesMeanwhile() throws Exception {
    try (RunningServer server =
            new RunningServer(
                service(),
                args -> {
                  countClosed(args);
                  // A worker must not linger with a connection that the drain waits for.
                  args.maxWorkers(64).linger(1, TimeUnit.HOURS);
                });
        Client first = server.connect();
        Client second = server.connect()) {
      int one = first.send("wait", Bytes.of("a"));
      int two = second.send("wait", Bytes.of("b"));
      Future<Integer> drain = drainWithRequests(server, 2);
      int three = first.send("echo", Bytes.of("c"));
      release.countDown();
      assertEquals("a", Bytes.text(first.receive("wait", one)));
      assertEquals("c", Bytes.text(first.receive("echo", three)));
      assertEquals("b", Bytes.text(second.receive("wait", two)));
      assertTrue(first.isClosedByServer());
      assertTrue(second.isClosedByServer());
      assertEquals(0, drain.get());
      assertEquals(0, server.server.core().connections());
      assertEquals(2, closed.get());
    }
  }

  @Test
  void shouldCloseIdleConnectionsBeforeTheTimeIsUp() throws Exception {
    try (RunningServer server = new RunningServer(service(), this::countClosed)) {
      List<Client> clients = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        clients.add(server.connect());
        if (i % 2 == 0) {
          clients.get(i).call("echo", Bytes.of("x"));
        }
      }
      RunningServer.await("it has all", () -> server.metrics().accepted.sum() == 20);
      assertEquals(0, drain(server, 1).get());
      for (Client client : clients) {
        assertTrue(client.isClosedByServer());
        client.close();
      }
      assertEquals(20, closed.get());
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  @EnabledForJreRange(min = JRE.JAVA_11, disabledReason = "registers only while nobody selects")
  void shouldServeWhomTheKernelHasLetInBefore() throws Exception {
    int port = RunningServer.freePort();
    DeafServerSocket deaf = new DeafServerSocket(port);
    try (RunningServer server = new RunningServer(deaf, service(), this::countClosed);
        Client first = new Client(port);
        Client second = new Client(port)) {
      int id = second.send("echo", Bytes.of("x"));
      RunningServer.await("the kernel has let them in", () -> AcceptQueue.length(port) == 2);
      deaf.listenFromTheNextSelection();
      Future<Integer> drain = drain(server, 1);
      assertEquals("x", Bytes.text(second.receive("echo", id)));
      assertEquals(0, drain.get());
      assertTrue(first.isClosedByServer());
      assertEquals(2, closed.get());
    }
  }

  @Test
  void shouldEndAfterTheHooksThatAreToldOfTheEnd() throws Exception {
    BlockingQueue<Integer> connectionsInHook = new LinkedBlockingQueue<>();
    AtomicReference<TDisruptorServer> drained = new AtomicReference<>();
    ConnectionListener listener =
        new ConnectionListener() {
          @Override
          public void closed(SocketAddress client) {
            connectionsInHook.add(drained.get().core().connections());
          }
        };
    try (RunningServer server =
            new RunningServer(service(), args -> args.connectionListener(listener));
        Client client = server.connect()) {
      drained.set(server.server);
      client.call("echo", Bytes.of("x"));
      assertEquals(0, drain(server, 1).get());
      assertEquals(1, connectionsInHook.poll(), "it counts until its hook has been told");
    }
  }

  @Test
  void shouldNotWaitForAWorkerThatLingersWithItsClient() throws Exception {
    try (RunningServer server =
            new RunningServer(service(), args -> args.inlineLimit(0, TimeUnit.SECONDS));
        Client client = server.connect()) {
      client.call("echo", Bytes.of("x"));
      RunningServer.await(
          "a worker lingers", () -> server.server.core().workers.roster.lingering() == 1);
      assertEquals(0, drain(server, 1).get());
      assertTrue(client.isClosedByServer());
    }
  }

  @Test
  void shouldNotBeReadyAndRefuseNewConnections() throws Exception {
    try (RunningServer server = new RunningServer(service());
        Client client = server.connect()) {
      assertTrue(server.server.isReady());
      client.send("wait", Bytes.of("x"));
      drainWithRequests(server, 1);
      assertFalse(server.server.isReady());
      assertTrue(server.server.isServing());
      assertThrows(IOException.class, server::connect);
      release.countDown();
    }
  }

  @Test
  void shouldCutOffAndCountWhoIsNotDoneWhenTheTimeIsUp() throws Exception {
    try (RunningServer server = new RunningServer(service(), this::countClosed);
        Client idle = server.connect();
        Client stuck = server.connect();
        Client half = server.connect()) {
      idle.call("echo", Bytes.of("x"));
      stuck.send("wait", Bytes.of("x"));
      RunningServer.await("it is under way", () -> entered.get() == 1);
      long before = server.metrics().bytesRead.sum();
      half.send(new byte[] {0, 0, 1});
      RunningServer.await("it has come", () -> server.metrics().bytesRead.sum() == before + 3);
      assertEquals(2, drain(server, 0).get());
      assertTrue(idle.isClosedByServer());
      assertTrue(stuck.isClosedByServer());
      assertTrue(half.isClosedByServer());
      RunningServer.await(
          "all but its session are at their end", () -> server.server.core().connections() == 1);
      assertEquals(2, closed.get());
      release.countDown();
      RunningServer.await(
          "its session ends after its request", () -> server.server.core().connections() == 0);
      assertEquals(3, closed.get());
    }
  }

  /**
   * A oneway call does not use the socket again, so its thread does not detect the closed
   * connection.
   */
  @Test
  void shouldEndTheSessionOfAOnewayCallThatWasCutOff() throws Exception {
    try (RunningServer server = new RunningServer(service(), this::countClosed);
        Client client = server.connect()) {
      client.sendOneway("wait", Bytes.of("x"));
      RunningServer.await("it is under way", () -> entered.get() == 1);
      assertEquals(1, drain(server, 0).get());
      release.countDown();
      RunningServer.await("its session ends", () -> closed.get() == 1);
    }
  }

  @Test
  void shouldCutOffClientsThatDoNotTakeTheirReplies() throws Exception {
    byte[] large = new byte[8 << 20];
    TestService service = new TestService().on("large", argument -> large);
    try (RunningServer server = new RunningServer(service, this::countClosed);
        Client client = server.connect()) {
      client.send("large", new byte[0]);
      RunningServer.await("a part is sent", () -> server.metrics().bytesWritten.sum() > 0);
      assertEquals(1, drain(server, 0).get());
      RunningServer.await("its session ends", () -> closed.get() == 1);
    }
  }

  @Test
  void shouldEndAtTheEarliestTimeThatWasAskedFor() throws Exception {
    try (RunningServer server = new RunningServer(service());
        Client client = server.connect()) {
      client.send("wait", Bytes.of("x"));
      Future<Integer> patient = drainWithRequests(server, 1);
      assertEquals(1, drain(server, 0).get());
      assertEquals(1, patient.get());
      assertEquals(1, drain(server, 1).get());
      release.countDown();
    }
  }

  @Test
  void shouldGoOnWhenItsCallerIsInterrupted() throws Exception {
    try (RunningServer server = new RunningServer(service());
        Client client = server.connect()) {
      client.call("echo", Bytes.of("x"));
      Thread.currentThread().interrupt();
      assertThrows(InterruptedException.class, () -> server.server.drain(1, TimeUnit.HOURS));
      assertTrue(client.isClosedByServer());
      assertEquals(0, drain(server, 1).get());
    }
  }

  @Test
  void shouldServeUntilItIsStopped() throws Exception {
    RunningServer server = new RunningServer(service());
    assertEquals(0, drain(server, 1).get());
    assertTrue(server.server.isServing());
    server.stop();
    assertFalse(server.server.isServing());
    assertEquals(0, drain(server, 1).get());
  }

  @Test
  void shouldEndWithTheRequestsThatAStopWaitsFor() throws Exception {
    RunningServer server = new RunningServer(service());
    try (Client client = server.connect()) {
      int id = client.send("wait", Bytes.of("x"));
      Future<Integer> drain = drainWithRequests(server, 1);
      server.server.stop();
      release.countDown();
      assertEquals("x", Bytes.text(client.receive("wait", id)));
      assertEquals(0, drain.get());
    }
    server.awaitEnd();
  }

  @Test
  void shouldEndWithAStopThatCutsOff() throws Exception {
    RunningServer server =
        new RunningServer(service(), args -> args.stopTimeout(0, TimeUnit.SECONDS));
    try (Client client = server.connect()) {
      client.send("wait", Bytes.of("x"));
      Future<Integer> drain = drainWithRequests(server, 1);
      server.stop();
      assertEquals(1, drain.get());
      assertTrue(client.isClosedByServer());
    }
  }

  @Test
  void shouldNeverListenIfDrainedBeforeItServes() throws Exception {
    int port = RunningServer.freePort();
    TDisruptorServer server =
        new TDisruptorServer(
            new TDisruptorServer.Args(
                    new TNonblockingServerSocket(new InetSocketAddress("127.0.0.1", port)) {
                      @Override
                      public void listen() {
                        throw new AssertionError("it listens");
                      }
                    })
                .processor(new TestService()));
    assertFalse(server.isReady());
    assertEquals(0, server.drain(1, TimeUnit.HOURS));
    Future<?> serve = callers.submit(server::serve);
    assertFalse(server.isReady());
    server.stop();
    serve.get();
  }

  @Test
  void shouldEndWheneverInTheStartOfTheServerItComes() throws Exception {
    for (int round = 0; round < 100; round++) {
      TDisruptorServer server =
          new TDisruptorServer(
              new TDisruptorServer.Args(
                      new TNonblockingServerSocket(new InetSocketAddress("127.0.0.1", 0)))
                  .selectors(2)
                  .processor(new TestService()));
      Future<?> serve = callers.submit(server::serve);
      assertEquals(0, server.drain(1, TimeUnit.HOURS));
      assertFalse(server.isReady());
      server.stop();
      serve.get();
    }
  }

  /** Every connection is closed and its session ends, whichever loop it is moving to. */
  @Test
  void shouldForgetNoConnectionUnderLoadAndChangesOfLoops() throws Exception {
    TestService sleeps =
        new TestService()
            .after("sleep", () -> LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2)));
    for (int round = 0; round < 5; round++) {
      closed.set(0);
      try (RunningServer server = new RunningServer(sleeps, this::countClosed)) {
        LoopShuffler shuffler = new LoopShuffler(server.server, 2);
        List<Future<?>> clients = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
          Client client = server.connect();
          clients.add(callers.submit(() -> callUntilTheEnd(client)));
        }
        RunningServer.await("there is load", () -> server.inline() + server.handedOff() > 500);
        int cutOff = drain(server, 0).get();
        for (Future<?> client : clients) {
          client.get();
        }
        assertTrue(cutOff <= 16, "cut off " + cutOff);
        RunningServer.await("all have ended", () -> server.server.core().connections() == 0);
        assertEquals(16, closed.get());
        shuffler.close();
      }
    }
  }

  private static Void callUntilTheEnd(Client client) throws Exception {
    try (Client open = client) {
      for (int calls = 0; ; calls++) {
        open.call(calls % 4 == 0 ? "sleep" : "echo", Bytes.of("x"));
      }
    } catch (IOException e) {
      return null;
    }
  }

  @Test
  void shouldRefuseANegativeTime() throws Exception {
    try (RunningServer server = new RunningServer(service())) {
      assertThrows(IllegalArgumentException.class, () -> server.server.drain(-1, TimeUnit.SECONDS));
      assertTrue(server.server.isReady());
    }
  }
}
