package dev.ringside.trip.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

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
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TripServerTest {
  private static final String HOST = "127.0.0.1";
  private static final int TIMEOUT_MILLIS = 20_000;
  private final MapCache cache = new MapCache();
  private final List<String> said = new ArrayList<>();
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

  /** What the promise of {@link Sync#ALWAYS} rests on. */
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
      cache.mayFlush.release(); // the one that waits since the first client's packet
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

  /** Or one slow trip would have a client send everything into memory. */
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
      Thread.sleep(50); // for what must not happen
      assertEquals(64, server.lanes().taken());
      cache.mayFlush.release(1_000);
      long points = 0;
      while (points < 100) {
        points = client.acknowledgement().points();
      }
    }
  }

  private void serve(Sync sync) throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    CacheOptions options =
        new CacheOptions(Path.of("none"), sync, true, 1, 1, Compression.NONE, 1, 1, true, null);
    server =
        new TripServer(
            new HostedServer("heap", port),
            HOST,
            new ServerOptions(2, 1, options),
            said::add,
            (type, of) -> cache);
  }

  private StreamSocket connect(int timeoutMillis) throws IOException {
    return StreamSocket.connect(HOST, server.hosted().port(), timeoutMillis);
  }

  /** Beginnings of so many trips, from that number on. */
  private static Packet packet(int from, int points) {
    List<Point> all = new ArrayList<>();
    for (int i = 0; i < points; i++) {
      all.add(new Point(from + i, 0, PointKind.BEGIN, 0, 0, 0));
    }
    return new Packet(all);
  }
}
