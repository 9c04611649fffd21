package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.internal.metrics.CloseReason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests clients that are silent or slow: what they cost others, and when they are cut off. */
@Timeout(180)
@ParameterizedClass
@EnumSource(Wiring.class)
final class SlowClientsTest {
  @Parameter Wiring wiring;

  @Test
  void shouldCloseAClientThatNeverReadsAndServeTheOthers() throws Exception {
    TestService service = new TestService().on("large", argument -> new byte[8 << 20]);
    try (RunningServer server =
            new RunningServer(
                wiring, service, args -> args.selectors(1).stallTimeout(1, TimeUnit.SECONDS));
        Client neighbour = server.connectAndCall("echo");
        Client deaf = server.connectAndCall("echo")) {
      long before = server.closed(CloseReason.STALLED);
      for (int i = 0; i < 5; i++) {
        deaf.send("large", new byte[0]);
      }
      while (server.closed(CloseReason.STALLED) == before) {
        assertEquals("y", Bytes.text(neighbour.call("echo", Bytes.of("y"))));
      }
      // It was closed after the first reply that it did not read: the others were never created.
      assertEquals(before + 1, server.closed(CloseReason.STALLED));
      assertTrue(server.metrics().bytesWritten.sum() < 16 << 20);
    }
  }

  @Test
  void shouldSendALargeReplyToASlowReader() throws Exception {
    byte[] large = Bytes.random(new Random(1), 8 << 20);
    TestService service = new TestService().on("large", argument -> large);
    try (RunningServer server = new RunningServer(wiring, service);
        Client client = server.connect()) {
      int first = client.send("large", new byte[0]);
      int second = client.send("echo", Bytes.of("after"));
      RunningServer.await("the socket is full", () -> isFull(server));
      assertArrayEquals(large, client.receive("large", first));
      assertEquals("after", Bytes.text(client.receive("echo", second)));
      assertEquals(0, server.server.core().run.replies.used());
    }
  }

  @Test
  void shouldCloseAFrameThatIsNeverFinished() throws Exception {
    try (RunningServer server =
            new RunningServer(
                wiring, new TestService(), args -> args.stallTimeout(1, TimeUnit.SECONDS));
        Client idle = server.connectAndCall("echo");
        Client client = server.connectAndCall("echo")) {
      client.send(Arrays.copyOf(Client.frame("echo", 1, new byte[100]), 50));
      assertTrue(client.isClosedByServer());
      assertEquals("x", Bytes.text(idle.call("echo", Bytes.of("x"))));
    }
  }

  @Test
  void shouldCloseIdleConnectionsIfToldTo() throws Exception {
    try (RunningServer server =
            new RunningServer(
                wiring, new TestService(), args -> args.idleTimeout(500, TimeUnit.MILLISECONDS));
        Client idle = server.connectAndCall("echo")) {
      assertTrue(idle.isClosedByServer());
      assertAllWereIdle(server);
      RunningServer.await("it is gone", () -> server.server.core().connections() == 0);
    }
  }

  /** The connection is not idle during its request, and not before the timeout after it. */
  @Test
  void shouldCountAsIdleFromTheEndOfTheLastReply() throws Exception {
    long idle = TimeUnit.MILLISECONDS.toNanos(400);
    AtomicLong ended = new AtomicLong();
    TestService service =
        new TestService()
            .on(
                "slow",
                argument -> {
                  TimeUnit.NANOSECONDS.sleep(2 * idle);
                  ended.set(System.nanoTime());
                  return argument;
                });
    for (int inlineMicros : new int[] {0, 250}) {
      try (RunningServer server =
              new RunningServer(
                  wiring,
                  service,
                  args ->
                      args.idleTimeout(idle, TimeUnit.NANOSECONDS)
                          .inlineLimit(inlineMicros, TimeUnit.MICROSECONDS)
                          .linger(0, TimeUnit.SECONDS));
          Client client = server.connectAndCall("slow")) {
        assertTrue(client.isClosedByServer());
        long silent = System.nanoTime() - ended.get();
        assertTrue(silent >= idle, "closed after " + silent + " ns of silence");
        assertAllWereIdle(server);
      }
    }
  }

  /** A client with a pending reply is not idle: the stall timeout applies to it. */
  @Test
  void shouldNotTakeASlowReaderForIdle() throws Exception {
    long idle = TimeUnit.MILLISECONDS.toNanos(500);
    byte[] large = Bytes.random(new Random(1), 8 << 20);
    TestService service = new TestService().on("large", argument -> large);
    try (RunningServer server =
            new RunningServer(
                wiring, service, args -> args.idleTimeout(idle, TimeUnit.NANOSECONDS));
        Client client = connectAndReadNothing(server)) {
      long began = System.nanoTime();
      RunningServer.await(
          "it has read nothing for long", () -> System.nanoTime() - began > 2 * idle);
      assertArrayEquals(large, client.receive("large", 1));
      assertTrue(client.isClosedByServer());
      assertAllWereIdle(server);
    }
  }

  /** On a busy machine a client may be cut off as idle before its first request has come. */
  private static Client connectAndReadNothing(RunningServer server) throws Exception {
    while (true) {
      long idle = server.closed(CloseReason.IDLE);
      Client client = server.connect();
      try {
        client.send(Client.frame("large", 1, new byte[0]));
        RunningServer.await(
            "the socket is full, or it is cut off",
            () -> isFull(server) || server.closed(CloseReason.IDLE) > idle);
        if (isFull(server)) {
          return client;
        }
      } catch (IOException e) {
        // It is cut off during its handshake.
      }
      client.close();
    }
  }

  private static boolean isFull(RunningServer server) {
    return server.metrics().bytesWritten.sum() > 10_000;
  }

  private static void assertAllWereIdle(RunningServer server) {
    assertEquals(server.metrics().accepted.sum(), server.closed(CloseReason.IDLE));
  }

  /** The loop does not poll the connection of a worker that lingers. */
  @Test
  void shouldCloseAnIdleConnectionThatAWorkerLingersWith() throws Exception {
    try (RunningServer server =
            new RunningServer(
                wiring,
                new TestService(),
                args ->
                    args.idleTimeout(500, TimeUnit.MILLISECONDS)
                        .inlineLimit(0, TimeUnit.SECONDS)
                        .linger(1, TimeUnit.HOURS));
        Client idle = server.connectAndCall("echo")) {
      assertTrue(idle.isClosedByServer());
      assertAllWereIdle(server);
    }
  }

  @Test
  void shouldStopReadingWhenTheReadMemoryIsUsedUpAndFinishWhatIsBegun() throws Exception {
    int frame = 400_000;
    try (RunningServer server =
        new RunningServer(wiring, new TestService(), args -> args.maxReadBufferBytes(1 << 20))) {
      List<Client> clients = new ArrayList<>();
      byte[] payload = Bytes.random(new Random(2), frame);
      byte[] bytes = Client.frame("echo", 1, payload);
      for (int i = 0; i < 10; i++) {
        Client client = server.connect();
        client.send(Arrays.copyOf(bytes, 100_000));
        clients.add(client);
      }
      RunningServer.await("loops are starved", () -> server.server.core().run.memory.loops() > 0);
      for (Client client : clients) {
        Thread rest =
            new Thread(
                () -> {
                  try {
                    client.send(Arrays.copyOfRange(bytes, 100_000, bytes.length));
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                });
        rest.setDaemon(true);
        rest.start();
      }
      for (Client client : clients) {
        assertArrayEquals(payload, client.receive("echo", 1));
        client.close();
      }
      RunningServer.await(
          "all memory is back", () -> server.server.core().run.requests.held() == 0);
      assertEquals(0, server.server.core().run.memory.loops());
    }
  }

  /**
   * Its large reply takes longer than the timeout, but it reads. On a busy machine, a client that
   * waited for a processor for one second was cut off.
   */
  @Test
  void shouldNotBlameAClientForARequestThatWaits() throws Exception {
    byte[] large = Bytes.random(new Random(1), 24 << 20);
    TestService service = new TestService().on("large", argument -> large);
    try (RunningServer server =
            new RunningServer(wiring, service, args -> args.stallTimeout(3, TimeUnit.SECONDS));
        Client client = server.connectAndCall("echo")) {
      long cutBefore = server.closed(CloseReason.STALLED);
      byte[] first = Client.frame("large", 1, new byte[0]);
      byte[] both = Arrays.copyOf(first, 2 * first.length + 100);
      byte[] second = Client.frame("echo", 2, Bytes.of("x"));
      System.arraycopy(second, 0, both, first.length, second.length);
      client.send(Arrays.copyOf(both, first.length + second.length));
      assertArrayEquals(large, client.receiveSlowly("large", 1, 64 << 10, 10));
      assertEquals("x", Bytes.text(client.receive("echo", 2)));
      assertEquals(cutBefore, server.closed(CloseReason.STALLED));
    }
  }

  /** They have sent all, but the server has no memory to read it until a request ends. */
  @Test
  void shouldNotBlameClientsForWhatTheServerDoesNotRead() throws Exception {
    long stall = TimeUnit.SECONDS.toNanos(1);
    byte[] payload = Bytes.random(new Random(3), 400_000);
    CountDownLatch release = new CountDownLatch(1);
    TestService service = new TestService().after("slow", () -> release.await());
    List<Client> clients = new ArrayList<>();
    List<Thread> senders = new ArrayList<>();
    try (RunningServer server =
        new RunningServer(
            wiring,
            service,
            args ->
                args.selectors(1)
                    .maxWorkers(1)
                    .inlineLimit(0, TimeUnit.SECONDS)
                    .maxReadBufferBytes(1 << 20)
                    .stallTimeout(stall, TimeUnit.NANOSECONDS))) {
      byte[] frame = Client.frame("slow", 1, payload);
      for (int i = 0; i < 12; i++) {
        clients.add(server.connectAndCall("echo"));
      }
      long cutBefore = server.closed(CloseReason.STALLED);
      for (Client client : clients) {
        Thread sender = new Thread(() -> sendAll(client, frame));
        sender.start();
        senders.add(sender);
      }
      RunningServer.await("a loop is starved", () -> server.server.core().run.memory.loops() > 0);
      long began = System.nanoTime();
      RunningServer.await("it is so for long", () -> System.nanoTime() - began > 2 * stall);
      release.countDown();
      for (Client client : clients) {
        assertArrayEquals(payload, client.receive("slow", 1));
      }
      for (Client client : clients) {
        assertEquals("again", Bytes.text(client.call("echo", Bytes.of("again"))));
      }
      assertEquals(cutBefore, server.closed(CloseReason.STALLED));
      for (int i = 0; i < clients.size(); i++) {
        senders.get(i).join();
        clients.get(i).close();
      }
    }
  }

  private static void sendAll(Client client, byte[] bytes) {
    try {
      client.send(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
