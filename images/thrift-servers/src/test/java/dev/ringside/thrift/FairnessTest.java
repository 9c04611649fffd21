package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLSession;
import org.apache.thrift.server.THsHaServer;
import org.apache.thrift.transport.TNonblockingServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that clients delay a neighbour no more than libthrift's THsHaServer lets them, which takes
 * one request of each connection in turn. Measured in requests of theirs that run while a request
 * of the neighbour waits, because that does not depend on the machine; in the median, because the
 * neighbour's own thread may have to wait for a processor.
 */
@Timeout(180)
final class FairnessTest {
  private static final int CALLS = 15;

  /** A turn is half a millisecond at most. No machine runs so many requests in it. */
  private static final int MOST_IN_A_TURN = 2000;

  private final AtomicInteger ran = new AtomicInteger();

  private final TestService service =
      new TestService()
          .on(
              "block",
              argument -> {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                ran.incrementAndGet();
                return argument;
              })
          .on(
              "compute",
              argument -> {
                long end = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(200);
                long spins = 0;
                while (System.nanoTime() < end) {
                  spins++;
                }
                ran.incrementAndGet();
                return spins > 0 ? argument : new byte[0];
              })
          .on(
              "instant",
              argument -> {
                ran.incrementAndGet();
                return argument;
              });

  private RunningServer server(Wiring wiring, WaitMode mode, int inlineMicros, int lingerSeconds)
      throws Exception {
    return server(wiring, mode, inlineMicros, lingerSeconds, 1, new ConnectionListener() {});
  }

  private RunningServer server(
      Wiring wiring,
      WaitMode mode,
      int inlineMicros,
      int lingerSeconds,
      long blockedAfterMillis,
      ConnectionListener listener)
      throws Exception {
    return new RunningServer(
        wiring,
        service,
        args ->
            args.selectors(1)
                .maxWorkers(1)
                .waitMode(mode)
                // A slow client must not be helped by being cut off.
                .stallTimeout(1, TimeUnit.HOURS)
                .linger(lingerSeconds, TimeUnit.SECONDS)
                .blockedAfter(blockedAfterMillis, TimeUnit.MILLISECONDS)
                .inlineLimit(inlineMicros, TimeUnit.MICROSECONDS)
                .connectionListener(listener));
  }

  @ParameterizedTest
  @CsvSource({
    "block,   250,     BLOCKING,      0,  1",
    "block,   250,     BLOCKING,      10, 4",
    "block,   250,     LITE_BLOCKING, 10, 4",
    "block,   250,     SLEEPING,      10, 4",
    "block,   250,     YIELDING,      10, 4",
    "block,   250,     BUSY_SPIN,     10, 4",
    "compute, 0,       BLOCKING,      10, 1",
    "compute, 1000000, BLOCKING,      10, 4"
  })
  void shouldLetNeighboursWaitNoLongerThanThePeerDoes(
      String method, int inlineMicros, WaitMode mode, int lingerSeconds, int clients)
      throws Exception {
    int peer = peerLetsRun(method, clients);
    try (RunningServer server =
        server(
            Wiring.TCP,
            mode,
            inlineMicros,
            lingerSeconds,
            method.equals("block") ? 1 : TimeUnit.HOURS.toMillis(1),
            new ConnectionListener() {})) {
      int own = letsRun(server.port, method, clients);
      assertTrue(
          own <= 2 * peer + 6,
          own + " requests of others ran during one, the peer lets run " + peer);
    }
  }

  /** Requests that take microseconds have their turn together. */
  @ParameterizedTest
  @CsvSource({
    "0,   BLOCKING,      0,  1",
    "0,   BLOCKING,      10, 4",
    "0,   LITE_BLOCKING, 10, 1",
    "0,   SLEEPING,      10, 1",
    "0,   YIELDING,      10, 1",
    "0,   BUSY_SPIN,     10, 1",
    "250, BLOCKING,      10, 4"
  })
  void shouldLetNeighboursWaitForOneTurnOfInstantRequests(
      int inlineMicros, WaitMode mode, int lingerSeconds, int clients) throws Exception {
    try (RunningServer server = server(Wiring.TCP, mode, inlineMicros, lingerSeconds)) {
      int own = letsRun(server.port, "instant", clients);
      assertTrue(own <= MOST_IN_A_TURN, own + " requests of others ran during one");
    }
  }

  /** They do not move at all, so that whoever waits for one of them is never served. */
  @ParameterizedTest
  @EnumSource(WaitMode.class)
  void shouldLetNobodyWaitForSlowClients(WaitMode mode) throws Exception {
    service.on("large", argument -> new byte[8 << 20]);
    for (Wiring wiring : Arrays.asList(Wiring.TCP, Wiring.TLS_1_3)) {
      List<Client> slow = new ArrayList<>();
      try (RunningServer server = server(wiring, mode, 250, 10);
          Client neighbour = server.connect()) {
        for (int i = 0; i < 4; i++) {
          Client readsNothing = server.connect();
          readsNothing.send("large", new byte[0]);
          Client sendsHalf = server.connect();
          sendsHalf.send(Arrays.copyOf(Client.frame("block", 1, new byte[1000]), 500));
          // The header of a frame, or of a record of a handshake.
          Client begins = new Client(server.port);
          begins.send(wiring == Wiring.TCP ? new byte[] {0, 0, 1} : new byte[] {22, 3, 1, 2, 0, 1});
          slow.addAll(Arrays.asList(readsNothing, sendsHalf, begins));
        }
        RunningServer.await(
            "replies are not read", () -> server.server.unsentBytes().get() > 4 << 20);
        for (String method : Arrays.asList("instant", "block", "compute")) {
          for (int i = 0; i < 20; i++) {
            assertEquals("x", Bytes.text(neighbour.call(method, Bytes.of("x"))));
          }
        }
        assertEquals(slow.size() + 1, server.server.connections());
        for (Client client : slow) {
          client.close();
        }
      }
    }
  }

  /** A handshake costs a loop a millisecond or two, and has its turn as requests have. */
  @Test
  void shouldLetNeighboursWaitForOneHandshakeOfEachClient() throws Exception {
    int clients = 4;
    AtomicBoolean ends = new AtomicBoolean();
    ConnectionListener counts =
        new ConnectionListener() {
          @Override
          public void secured(SocketAddress client, SSLSession session) {
            ran.incrementAndGet();
          }
        };
    try (RunningServer server = server(Wiring.TLS_1_3, WaitMode.BLOCKING, 250, 10, 1, counts);
        Client neighbour = server.connect()) {
      neighbour.call("echo", new byte[1]);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        Thread thread = new Thread(() -> shakeHands(server, ends), "handshakes");
        thread.start();
        threads.add(thread);
      }
      try {
        int before = ran.get();
        RunningServer.await("they shake hands", () -> ran.get() > before + clients);
        // The neighbour's request itself is not counted here.
        int others = medianRun(neighbour, "echo") + 1;
        assertTrue(others <= 2 * clients, others + " handshakes ran during one request");
      } finally {
        ends.set(true);
        for (Thread thread : threads) {
          thread.join();
        }
      }
    }
  }

  private static void shakeHands(RunningServer server, AtomicBoolean ends) {
    while (!ends.get()) {
      // A context of its own has no session to resume.
      try (Client client = Wiring.connect(server.port, TlsKeys.own().newPresenting(), "TLSv1.3")) {
        client.call("echo", new byte[1]);
      } catch (Exception e) {
        throw new AssertionError("a handshake failed", e);
      }
    }
  }

  private int peerLetsRun(String method, int clients) throws Exception {
    int port = RunningServer.freePort();
    ExecutorService worker = Executors.newFixedThreadPool(1);
    THsHaServer server =
        new THsHaServer(
            new THsHaServer.Args(
                    new TNonblockingServerSocket(new InetSocketAddress("127.0.0.1", port)))
                .executorService(worker)
                .processor(service));
    Thread thread = new Thread(server::serve, "peer");
    thread.start();
    try {
      RunningServer.await("the peer serves", server::isServing);
      return letsRun(port, method, clients);
    } finally {
      server.stop();
      thread.join();
      worker.shutdownNow();
      assertTrue(worker.awaitTermination(30, TimeUnit.SECONDS));
    }
  }

  /** Returns how many requests of greedy clients run while one of a neighbour waits. */
  private int letsRun(int port, String method, int clients) throws Exception {
    List<Greedy> greedy = new ArrayList<>();
    try (Client neighbour = new Client(port)) {
      // The server learns what the method does.
      for (int i = 0; i < 20; i++) {
        neighbour.call(method, new byte[1]);
      }
      int before = ran.get();
      for (int i = 0; i < clients; i++) {
        greedy.add(new Greedy(new Client(port), method));
      }
      RunningServer.await("they are served", () -> ran.get() > before + 2 * clients);
      return medianRun(neighbour, method);
    } finally {
      for (Greedy client : greedy) {
        client.close();
      }
    }
  }

  private int medianRun(Client neighbour, String method) throws Exception {
    int[] others = new int[CALLS];
    for (int i = 0; i < CALLS; i++) {
      int before = ran.get();
      neighbour.call(method, new byte[1]);
      others[i] = ran.get() - before - 1;
    }
    Arrays.sort(others);
    return others[CALLS / 2];
  }
}
