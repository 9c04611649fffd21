package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
        Client neighbour = server.connect();
        Client deaf = server.connect()) {
      for (int i = 0; i < 5; i++) {
        deaf.send("large", new byte[0]);
      }
      while (server.metrics().stalledClosed.sum() == 0) {
        assertEquals("y", Bytes.text(neighbour.call("echo", Bytes.of("y"))));
      }
      // It was closed after the first reply that it did not read: the others were never created.
      assertEquals(1, server.metrics().stalledClosed.sum());
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
      RunningServer.await("the socket is full", () -> server.metrics().bytesWritten.sum() > 10_000);
      assertArrayEquals(large, client.receive("large", first));
      assertEquals("after", Bytes.text(client.receive("echo", second)));
    }
  }

  @Test
  void shouldCloseAFrameThatIsNeverFinished() throws Exception {
    try (RunningServer server =
            new RunningServer(
                wiring, new TestService(), args -> args.stallTimeout(1, TimeUnit.SECONDS));
        Client idle = server.connect();
        Client client = server.connect()) {
      assertEquals("x", Bytes.text(idle.call("echo", Bytes.of("x"))));
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
        Client idle = server.connect()) {
      assertEquals("x", Bytes.text(idle.call("echo", Bytes.of("x"))));
      assertTrue(idle.isClosedByServer());
      assertEquals(1, server.metrics().idleClosed.sum());
      RunningServer.await("it is gone", () -> server.server.connections() == 0);
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
          Client client = server.connect()) {
        assertEquals("x", Bytes.text(client.call("slow", Bytes.of("x"))));
        assertTrue(client.isClosedByServer());
        long silent = System.nanoTime() - ended.get();
        assertTrue(silent >= idle, "closed after " + silent + " ns of silence");
        assertEquals(1, server.metrics().idleClosed.sum());
      }
    }
  }

  /** A client with a pending reply is not idle: the stall timeout applies to it. */
  @Test
  void shouldNotTakeASlowReaderForIdle() throws Exception {
    long idle = TimeUnit.MILLISECONDS.toNanos(200);
    byte[] large = Bytes.random(new Random(1), 8 << 20);
    TestService service = new TestService().on("large", argument -> large);
    try (RunningServer server =
            new RunningServer(
                wiring, service, args -> args.idleTimeout(idle, TimeUnit.NANOSECONDS));
        Client client = server.connect()) {
      int id = client.send("large", new byte[0]);
      RunningServer.await("the socket is full", () -> server.metrics().bytesWritten.sum() > 10_000);
      long began = System.nanoTime();
      RunningServer.await(
          "it has read nothing for long", () -> System.nanoTime() - began > 4 * idle);
      assertArrayEquals(large, client.receive("large", id));
      assertTrue(client.isClosedByServer());
      assertEquals(1, server.metrics().idleClosed.sum());
    }
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
        Client idle = server.connect()) {
      assertEquals("x", Bytes.text(idle.call("echo", Bytes.of("x"))));
      assertTrue(idle.isClosedByServer());
      assertEquals(1, server.metrics().idleClosed.sum());
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
      RunningServer.await("loops are starved", () -> server.server.memoryShortage().loops() > 0);
      for (Client client : clients) {
        Thread rest =
            new Thread(
                () -> {
                  try {
                    client.send(Arrays.copyOfRange(bytes, 100_000, bytes.length));
                  } catch (java.io.IOException e) {
                    throw new java.io.UncheckedIOException(e);
                  }
                });
        rest.setDaemon(true);
        rest.start();
      }
      for (Client client : clients) {
        assertArrayEquals(payload, client.receive("echo", 1));
        client.close();
      }
      RunningServer.await("all memory is back", () -> server.server.budget().usedBytes() == 0);
      assertEquals(0, server.server.memoryShortage().loops());
    }
  }

  /** Its large reply takes longer than the timeout, but it reads. */
  @Test
  void shouldNotBlameAClientForARequestThatWaits() throws Exception {
    byte[] large = Bytes.random(new Random(1), 24 << 20);
    TestService service = new TestService().on("large", argument -> large);
    try (RunningServer server =
            new RunningServer(wiring, service, args -> args.stallTimeout(1, TimeUnit.SECONDS));
        Client client = server.connect()) {
      byte[] first = Client.frame("large", 1, new byte[0]);
      byte[] both = Arrays.copyOf(first, 2 * first.length + 100);
      byte[] second = Client.frame("echo", 2, Bytes.of("x"));
      System.arraycopy(second, 0, both, first.length, second.length);
      client.send(Arrays.copyOf(both, first.length + second.length));
      assertArrayEquals(large, client.receiveSlowly("large", 1, 64 << 10, 4));
      assertEquals("x", Bytes.text(client.receive("echo", 2)));
      assertEquals(0, server.metrics().stalledClosed.sum());
    }
  }

  /** They have sent all, but the server has no memory to read it until a request ends. */
  @Test
  void shouldNotBlameClientsForWhatTheServerDoesNotRead() throws Exception {
    long stall = TimeUnit.SECONDS.toNanos(1);
    byte[] payload = Bytes.random(new Random(3), 400_000);
    CountDownLatch release = new CountDownLatch(1);
    TestService service =
        new TestService()
            .on(
                "slow",
                argument -> {
                  release.await();
                  return argument;
                });
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
        Client client = server.connect();
        clients.add(client);
        Thread sender = new Thread(() -> sendAll(client, frame));
        sender.start();
        senders.add(sender);
      }
      RunningServer.await("a loop is starved", () -> server.server.memoryShortage().loops() > 0);
      long began = System.nanoTime();
      RunningServer.await("it is so for long", () -> System.nanoTime() - began > 2 * stall);
      release.countDown();
      for (Client client : clients) {
        assertArrayEquals(payload, client.receive("slow", 1));
      }
      for (Client client : clients) {
        assertEquals("again", Bytes.text(client.call("echo", Bytes.of("again"))));
      }
      assertEquals(0, server.metrics().stalledClosed.sum());
      for (int i = 0; i < clients.size(); i++) {
        senders.get(i).join();
        clients.get(i).close();
      }
    }
  }

  private static void sendAll(Client client, byte[] bytes) {
    try {
      client.send(bytes);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
