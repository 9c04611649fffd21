package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

@Timeout(180)
final class VirtualWorkersTest {
  private static final int BLOCKED = 10_000;

  private final CountDownLatch release = new CountDownLatch(1);
  private final AtomicInteger waiting = new AtomicInteger();
  private final Queue<String> ranOn = new ConcurrentLinkedQueue<>();

  private final TestService service =
      new TestService()
          .on(
              "wait",
              argument -> {
                ranOn.add(Thread.currentThread().getName());
                waiting.incrementAndGet();
                release.await();
                return argument;
              });

  /** Uses platform threads, one per connection, if this Java has no virtual threads. */
  private RunningServer server(Consumer<TDisruptorServer.Args> options) throws Exception {
    return new RunningServer(
        service,
        args -> {
          if (VirtualThreads.exist()) {
            args.virtualWorkers(true);
          } else {
            args.virtualWorkers = true;
            args.handOff =
                server -> new VirtualHandOff(server, task -> new Thread(task, "test-virtual-"));
          }
          options.accept(args);
        });
  }

  private boolean isWorker(String thread) {
    return thread.contains("-virtual-");
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void shouldHoldThousandsOfRequestsOnFewThreadsOfThePlatform() throws Exception {
    try (RunningServer server = server(args -> args.maxWorkers(BLOCKED));
        Client quick = server.connect()) {
      Process clients = WaitingClients.start(server.port, BLOCKED, "wait");
      try {
        RunningServer.await("all wait", () -> waiting.get() == BLOCKED);
        int platform = server.server.workers().roster().threads();
        assertTrue(platform <= 2 * server.server.options().selectors, platform + " threads");
        assertEquals("x", Bytes.text(quick.call("echo", Bytes.of("x"))));
        release.countDown();
        assertTrue(clients.waitFor(60, TimeUnit.SECONDS), "all are answered");
        assertEquals(0, clients.exitValue(), "all are answered");
      } finally {
        clients.destroyForcibly();
      }
      RunningServer.await("no virtual thread stays", () -> server.server.ring().threads() == 0);
    }
  }

  /** A leader that is deposed during a request runs that request and no later one. */
  @Test
  void shouldLeaveWhatIsBehindTheRequestOfADeposedLeaderToOthers() throws Exception {
    try (RunningServer server = server(args -> args.selectors(1));
        Client client = server.connect()) {
      ByteArrayOutputStream three = new ByteArrayOutputStream();
      for (int id = 1; id <= 3; id++) {
        three.write(Client.frame("wait", id, Bytes.of("x")));
      }
      client.send(three.toByteArray());
      RunningServer.await("the leader is stuck", () -> server.metrics().promotions.sum() == 1);
      release.countDown();
      for (int id = 1; id <= 3; id++) {
        client.receive("wait", id);
      }
      assertEquals(2, ranOn.stream().filter(this::isWorker).count(), ranOn::toString);
    }
  }

  @Test
  void shouldRunNoMoreRequestsAtOnceThanThereMayBeWorkers() throws Exception {
    int limit = 3;
    List<Client> clients = new ArrayList<>();
    try (RunningServer server =
        server(args -> args.maxWorkers(limit).ringSize(2).inlineLimit(0, TimeUnit.SECONDS))) {
      int[] ids = new int[20];
      for (int i = 0; i < ids.length; i++) {
        clients.add(server.connect());
        ids[i] = clients.get(i).send("wait", Bytes.of("x"));
      }
      RunningServer.await(
          "the ring is full and held back from",
          () -> waiting.get() == limit && server.server.ringShortage().loops() > 0);
      assertEquals(limit, server.server.ring().threads());
      release.countDown();
      for (int i = 0; i < ids.length; i++) {
        clients.get(i).receive("wait", ids[i]);
      }
      assertTrue(ranOn.stream().allMatch(this::isWorker), ranOn::toString);
    } finally {
      for (Client client : clients) {
        client.close();
      }
    }
  }

  @Test
  void shouldForgetNoRequestWhenAThreadCannotBeStarted() throws Exception {
    AtomicBoolean fails = new AtomicBoolean(true);
    AtomicInteger failures = new AtomicInteger();
    try (RunningServer server =
            new RunningServer(
                service,
                args -> {
                  args.inlineLimit(0, TimeUnit.SECONDS).virtualWorkers = true;
                  args.handOff =
                      started ->
                          new VirtualHandOff(
                              started,
                              task -> {
                                if (fails.get()) {
                                  failures.incrementAndGet();
                                  throw new OutOfMemoryError("on purpose");
                                }
                                return new Thread(task);
                              });
                });
        Client client = server.connect()) {
      int id = client.send("echo", Bytes.of("x"));
      RunningServer.await("it is tried again", () -> failures.get() > 2);
      assertFalse(server.server.ring().isEmpty());
      fails.set(false);
      assertEquals("x", Bytes.text(client.receive("echo", id)));
    }
  }

  @Test
  void shouldAnswerWhatRunsWhenItIsStopped() throws Exception {
    RunningServer server = server(args -> args.inlineLimit(0, TimeUnit.SECONDS));
    try (Client client = server.connect()) {
      int id = client.send("wait", Bytes.of("x"));
      RunningServer.await("it runs", () -> waiting.get() == 1);
      server.server.stop();
      release.countDown();
      assertEquals("x", Bytes.text(client.receive("wait", id)));
      server.awaitEnd();
      assertEquals(0, server.server.workers().threads());
    }
  }
}
