package dev.ringside.trip.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.store.HostedServer;
import dev.ringside.store.Sync;
import dev.ringside.trip.cache.CacheOptions;
import dev.ringside.trip.cache.Compression;
import dev.ringside.trip.stream.Acknowledgement;
import dev.ringside.trip.stream.Packet;
import dev.ringside.trip.stream.Point;
import dev.ringside.trip.stream.PointKind;
import dev.ringside.trip.stream.StreamFaultException;
import dev.ringside.trip.stream.StreamSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class TripServerTest {
  private static final String HOST = "127.0.0.1";
  private static final int TIMEOUT_MILLIS = 20_000;
  private final MapCache cache = new MapCache();
  private final List<String> said = new CopyOnWriteArrayList<>();
  private TripServer server;

  @AfterEach
  void stop() throws IOException {
    cache.mayFlush.release(1_000_000);
    if (server != null) {
      server.close();
    }
  }

  @Test
  void shouldAcknowledgeWhatIsInTheCache() throws IOException {
    serve(Sync.NEVER);
    try (StreamSocket client = connect(TIMEOUT_MILLIS)) {
      client.send(packet(0, 10));
      assertEquals(10, client.acknowledgement().points());
      assertEquals(10, cache.puts.get());
      client.send(packet(10, 5));
      client.send(packet(15, 1));
      long points = 10;
      while (points < 16) {
        points = client.acknowledgement().points(); // cumulative: one or two
      }
      assertEquals(16, points);
    }
    assertEquals(0, cache.flushes.get());
  }

  /** Verifies the guarantee of {@link Sync#ALWAYS}. */
  @Test
  void shouldAcknowledgeNothingBeforeASyncThatBeganAfterIt() throws Exception {
    serve(Sync.ALWAYS);
    try (StreamSocket client = connect(3_000)) {
      client.send(packet(0, 10));
      assertThrows(SocketTimeoutException.class, client::acknowledgement, "no sync yet");
    }
    try (StreamSocket client = connect(3_000)) {
      client.send(packet(100, 3));
      while (server.lanes().done() < 13) {
        Thread.sleep(1);
      }
      cache.mayFlush.release(); // the sync that has waited since the first client's packet
      assertThrows(SocketTimeoutException.class, client::acknowledgement, "it began before");
      assertEquals(1, cache.flushes.get());
    }
    try (StreamSocket client = connect(TIMEOUT_MILLIS)) {
      client.send(packet(200, 2));
      cache.mayFlush.release(2);
      assertEquals(2, client.acknowledgement().points());
    }
  }

  @Test
  void shouldSyncFromTimeToTime() throws Exception {
    serve(Sync.INTERVAL);
    cache.mayFlush.release(2);
    while (cache.flushes.get() < 2) {
      Thread.sleep(1);
    }
    try (StreamSocket client = connect(TIMEOUT_MILLIS)) {
      client.send(packet(0, 1));
      assertEquals(1, client.acknowledgement().points(), "though no sync comes to its end");
    }
  }

  @Test
  void shouldTellGapsAndFinishedTrips() throws IOException {
    serve(Sync.NEVER);
    try (StreamSocket client = connect(TIMEOUT_MILLIS)) {
      client.send(
          new Packet(
              List.of(
                  new Point(1, 0, PointKind.BEGIN, 0, 0, 0),
                  new Point(2, 7, PointKind.GO_ON, 0, 0, 0),
                  new Point(1, 1, PointKind.END, 5, 0, 9))));
      Acknowledgement told = client.acknowledgement();
      assertEquals(3, told.points());
      assertEquals(1, told.gaps());
      assertEquals(1, told.finished().size());
      assertEquals(1, told.finished().get(0).trip());
      client.send(new Packet(List.of()));
      assertEquals(new Acknowledgement(3, 0, List.of(), ""), client.acknowledgement());
    }
  }

  @Test
  void shouldTellItsClientsWhyItCanDoNoMore() throws IOException {
    serve(Sync.NEVER);
    cache.broken = true;
    for (int i = 0; i < 2; i++) {
      try (StreamSocket client = connect(TIMEOUT_MILLIS)) {
        client.send(packet(0, 10));
        StreamFaultException fault =
            assertThrows(StreamFaultException.class, client::acknowledgement);
        assertEquals("the server can do no more: no space left on device", fault.getMessage());
      }
    }
    assertEquals("no space left on device", server.failure().getMessage());
  }

  /** Otherwise, one slow trip would let a client fill the memory. */
  @Test
  void shouldReadNoFurtherWhileManyPacketsWait() throws Exception {
    serve(Sync.ALWAYS);
    try (StreamSocket client = connect(TIMEOUT_MILLIS)) {
      for (int i = 0; i < 100; i++) {
        client.send(packet(i, 1));
      }
      while (server.lanes().done() < 64) {
        Thread.sleep(1);
      }
      Thread.sleep(50); // time for a wrong read to occur
      assertEquals(64, server.lanes().taken());
      cache.mayFlush.release(1_000);
      long points = 0;
      while (points < 100) {
        points = client.acknowledgement().points();
      }
    }
  }

  /** It sends but does not read, so its receive window is closed and a write to it blocks. */
  @ParameterizedTest
  @EnumSource(
      value = Sync.class,
      names = {"NEVER", "ALWAYS"})
  void shouldAcknowledgeOthersWhileAClientReadsNothing(Sync sync) throws Exception {
    serve(sync);
    cache.mayFlush.release(1_000_000);
    try (StreamSocket deaf = connect(TIMEOUT_MILLIS)) {
      AtomicLong sent = new AtomicLong();
      Thread sender = new Thread(() -> askUntilClosed(deaf, sent));
      sender.start();
      awaitStandstill(sent);
      for (int i = 0; i < 3; i++) {
        try (StreamSocket client = connect(TIMEOUT_MILLIS)) {
          client.send(packet(1_000_000 + 100 * i, 100));
          assertEquals(100, client.acknowledgement().points());
        }
      }
      assertTrue(sender.isAlive(), "it is there still");
      deaf.close();
      sender.join();
    }
    while (server.connections() > 0) {
      Thread.sleep(1);
    }
    assertNull(server.failure());
  }

  /** Sends requests for trips, whose answers are longer than the requests. */
  private static void askUntilClosed(StreamSocket client, AtomicLong sent) {
    List<Point> questions = new ArrayList<>();
    for (int i = 0; i < Packet.MAX_POINTS; i++) {
      questions.add(new Point(i, 0, PointKind.ASK, 0, 0, 0));
    }
    try {
      while (true) {
        client.send(new Packet(questions));
        sent.incrementAndGet();
      }
    } catch (IOException e) {
      // closed
    }
  }

  /** Waits until nothing more can be sent, because all buffers are full. */
  private static void awaitStandstill(AtomicLong sent) throws InterruptedException {
    long before = -1;
    while (sent.get() == 0 || sent.get() != before) {
      before = sent.get();
      TimeUnit.MILLISECONDS.sleep(500);
    }
  }

  @Test
  void shouldAcceptClientsAgainOnceThereAreDescriptorsAgain() throws Exception {
    AtomicInteger tries = new AtomicInteger();
    serve(
        Sync.NEVER,
        new ServerSocket(0, 8, InetAddress.getByName(HOST)) {
          @Override
          public Socket accept() throws IOException {
            if (tries.getAndIncrement() == 0) {
              throw new IOException("Too many open files");
            }
            return super.accept();
          }
        });
    try (StreamSocket client = connect(TIMEOUT_MILLIS)) {
      client.send(packet(0, 10));
      assertEquals(10, client.acknowledgement().points());
    }
    assertNull(server.failure());
    assertTrue(
        said.contains("heap-accept: accept a client: Too many open files; the next try is in 1 s"),
        said::toString);
  }

  /** Otherwise, a thread would end and clients would wait forever. */
  @ParameterizedTest
  @EnumSource(Sync.class)
  void shouldTellItsClientsOfAnErrorToo(Sync sync) throws IOException {
    cache.error = sync == Sync.NEVER ? "put" : "flush";
    serve(sync);
    try (StreamSocket client = connect(TIMEOUT_MILLIS)) {
      client.send(packet(0, 10));
      StreamFaultException fault =
          assertThrows(
              StreamFaultException.class,
              () -> {
                while (true) {
                  client.acknowledgement();
                }
              });
      assertEquals("the server can do no more: out of memory", fault.getMessage());
    }
  }

  private void serve(Sync sync) throws IOException {
    serve(sync, new ServerSocket(0, 8, InetAddress.getByName(HOST)));
  }

  private void serve(Sync sync, ServerSocket listener) throws IOException {
    CacheOptions options =
        new CacheOptions(Path.of("none"), sync, true, 1, 1, Compression.NONE, 1, 1, true, null);
    server =
        new TripServer(
            new HostedServer("heap", listener.getLocalPort()),
            listener,
            new ServerOptions(2, 1, options),
            said::add,
            (type, of) -> cache);
  }

  private StreamSocket connect(int timeoutMillis) throws IOException {
    return StreamSocket.connect(HOST, server.hosted().port(), timeoutMillis);
  }

  /** Returns the first points of a number of trips. */
  private static Packet packet(int from, int points) {
    List<Point> all = new ArrayList<>();
    for (int i = 0; i < points; i++) {
      all.add(new Point(from + i, 0, PointKind.BEGIN, 0, 0, 0));
    }
    return new Packet(all);
  }
}
