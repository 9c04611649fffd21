package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import javax.net.ssl.SSLSession;
import org.apache.thrift.server.THsHaServer;
import org.apache.thrift.transport.TNonblockingServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that clients delay a neighbour no more than libthrift's THsHaServer lets them, which takes
 * one request of each connection in turn. Counts the requests of theirs that begin after the
 * server's only worker, or its loop, could have begun the neighbour's. A gate holds the server
 * until the neighbour's request waits, and requests take a time that they measure themselves, so
 * that the counts do not depend on when the machine runs a thread.
 */
@Timeout(180)
final class FairnessTest {
  private static final int ROUNDS = 10;

  /** Enough for all rounds. */
  private static final int BATCH = 2 * ROUNDS;

  /** A turn, after which the next connection has its own. */
  private static final long TURN_MICROS = 500;

  private static final long LONG_MICROS = 2 * TURN_MICROS;
  private static final long QUICK_MICROS = 20;

  private static final byte[] GREEDY = {1};
  private static final byte[] NEIGHBOUR = {2};

  private final Gate gate = new Gate();

  /** How many requests of greedy clients have begun: now, and when the neighbour's began. */
  private final AtomicInteger begun = new AtomicInteger();

  private volatile int begunBefore;

  private final TestService service =
      new TestService()
          .on("long", this::takeLong)
          .on(
              "quick",
              argument -> {
                begun.incrementAndGet();
                spin(QUICK_MICROS);
                return argument;
              })
          .on(
              "sleep",
              argument -> {
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(LONG_MICROS));
                return argument;
              })
          .on(
              "spin",
              argument -> {
                spin(200);
                return argument;
              });

  /** The neighbour's request closes the gate again, so that each round begins in the same way. */
  private byte[] takeLong(byte[] argument) throws InterruptedException {
    if (argument[0] == NEIGHBOUR[0]) {
      begunBefore = begun.get();
      gate.close();
    } else {
      begun.incrementAndGet();
      gate.pass();
      spin(LONG_MICROS);
    }
    return NEIGHBOUR;
  }

  private static void spin(long micros) {
    long began = System.nanoTime();
    while (System.nanoTime() - began < TimeUnit.MICROSECONDS.toNanos(micros)) {
      Thread.yield();
    }
  }

  private RunningServer server(Wiring wiring, int inlineMicros, int lingerSeconds)
      throws Exception {
    return server(wiring, inlineMicros, lingerSeconds, 64, new ConnectionListener() {});
  }

  private RunningServer server(
      Wiring wiring, int inlineMicros, int lingerSeconds, int ringSize, ConnectionListener listener)
      throws Exception {
    return new RunningServer(
        wiring,
        service,
        args ->
            args.selectors(1)
                .maxWorkers(1)
                .ringSize(ringSize)
                // A slow client must not be helped by being cut off.
                .stallTimeout(1, TimeUnit.HOURS)
                .linger(lingerSeconds, TimeUnit.SECONDS)
                // What runs on the loop stays there, but workers that linger are recalled.
                .blockedAfter(inlineMicros > 250 ? 3_600_000 : 20, TimeUnit.MILLISECONDS)
                .inlineLimit(inlineMicros, TimeUnit.MICROSECONDS)
                .connectionListener(listener));
  }

  /**
   * Counts the clients whose requests have come and wait: in the ring, or for the loop. The loop
   * does not run while a request on it is held, so that its clients' bytes stay where they are.
   */
  private static final class Waiting implements AutoCloseable {
    private final RunningServer server;
    private final Selector readable = Selector.open();

    Waiting(RunningServer server, List<Client> onLoop) throws IOException {
      this.server = server;
      for (Client client : onLoop) {
        server.connection(client).channel.register(readable, SelectionKey.OP_READ);
      }
    }

    int count() {
      try {
        int count = readable.selectNow();
        readable.selectedKeys().clear();
        return readable.keys().isEmpty() ? server.server.core().workers.ring.occupancy() : count;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() throws IOException {
      readable.close();
    }
  }

  private static byte[] batch(String method, int requests) throws Exception {
    ByteArrayOutputStream batch = new ByteArrayOutputStream();
    for (int i = 0; i < requests; i++) {
      batch.write(Client.frame(method, i, GREEDY));
    }
    return batch.toByteArray();
  }

  private static void closeAll(List<Client> clients) throws IOException {
    for (Client client : clients) {
      client.close();
    }
  }

  /** Each request takes longer than a turn: in one turn runs one of them. */
  @ParameterizedTest
  @CsvSource({
    "TCP,     0, 0,  1, 64",
    "TCP,     0, 10, 1, 64",
    "TCP,     0, 10, 4, 64",
    "TLS_1_3, 0, 10, 4, 64",
    // With the neighbour's request, the ring is full.
    "TCP,     0, 10, 2, 2",
    "TCP,     1000000, 10, 1, 64",
    "TCP,     1000000, 10, 4, 64",
    "TLS_1_3, 1000000, 10, 4, 64"
  })
  void shouldLetNeighboursWaitNoLongerThanThePeerDoes(
      Wiring wiring, int inlineMicros, int lingerSeconds, int clients, int ringSize)
      throws Exception {
    int peer = peerLetsBegin(clients);
    List<Client> greedy = new ArrayList<>();
    try (RunningServer server =
            server(wiring, inlineMicros, lingerSeconds, ringSize, new ConnectionListener() {});
        Client neighbour = server.connectAndCall("echo");
        AutoCloseable letsAllPass = gate::open) {
      for (int i = 0; i < clients; i++) {
        greedy.add(server.connectAndCall("long"));
      }
      // Some that the server has read, if it has not run them, and some that it has not.
      byte[] batch = batch("long", BATCH);
      long before = server.metrics().bytesRead.sum();
      for (Client client : greedy) {
        client.send(batch);
      }
      RunningServer.await(
          "one batch each is read",
          () -> server.metrics().bytesRead.sum() == before + (long) clients * batch.length);
      gate.close();
      for (Client client : greedy) {
        client.send(batch);
      }
      boolean onLoop = inlineMicros > 0;
      try (Waiting waiting =
          new Waiting(server, onLoop ? Arrays.asList(neighbour) : new ArrayList<>())) {
        int ahead = onLoop ? 0 : clients - 1;
        for (int i = 0; i < ROUNDS; i++) {
          int own = letsBegin(neighbour, waiting::count, ahead);
          assertTrue(
              own <= peer,
              own + " requests of others began before one, the peer lets begin " + peer);
        }
      }
    } finally {
      closeAll(greedy);
    }
  }

  /**
   * Returns how many requests of greedy clients begin after one of a neighbour's waits and before
   * it begins. One that runs is held until then.
   *
   * @param ahead how many wait before it
   */
  private int letsBegin(Client neighbour, IntSupplier waiting, int ahead) throws Exception {
    RunningServer.await(
        "one runs, and the others wait", () -> gate.held() == 1 && waiting.getAsInt() == ahead);
    int id = neighbour.send("long", NEIGHBOUR);
    RunningServer.await("the neighbour's waits", () -> waiting.getAsInt() == ahead + 1);
    int before = begun.get();
    gate.open();
    neighbour.receive("long", id);
    return begunBefore - before;
  }

  private int peerLetsBegin(int clients) throws Exception {
    int port = RunningServer.freePort();
    LinkedBlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();
    ThreadPoolExecutor worker = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, queue);
    THsHaServer server =
        new THsHaServer(
            new THsHaServer.Args(
                    new TNonblockingServerSocket(new InetSocketAddress("127.0.0.1", port)))
                .executorService(worker)
                .processor(service));
    Thread thread = new Thread(server::serve, "peer");
    thread.start();
    List<Client> greedy = new ArrayList<>();
    try {
      RunningServer.await("the peer serves", server::isServing);
      try (Client neighbour = new Client(port)) {
        gate.close();
        for (int i = 0; i < clients; i++) {
          Client client = new Client(port);
          greedy.add(client);
          client.send(batch("long", BATCH));
        }
        int most = 0;
        for (int i = 0; i < ROUNDS; i++) {
          most = Math.max(most, letsBegin(neighbour, queue::size, clients - 1));
        }
        return most;
      }
    } finally {
      gate.open();
      closeAll(greedy);
      server.stop();
      thread.join();
      worker.shutdownNow();
      assertTrue(worker.awaitTermination(30, TimeUnit.SECONDS));
    }
  }

  /**
   * Returns how many requests of clients begin before one of a neighbour's that came after their
   * first. All wait while a request of another client is held.
   */
  private int letsBeginAfterAnother(
      RunningServer server, int inlineMicros, byte[] batch, int clients) throws Exception {
    List<Client> greedy = new ArrayList<>();
    List<Thread> senders = new ArrayList<>();
    try (Client holder = server.connectAndCall("echo");
        Client neighbour = server.connectAndCall("echo")) {
      for (int i = 0; i < clients; i++) {
        greedy.add(server.connectAndCall("echo"));
      }
      List<Client> onLoop = new ArrayList<>();
      if (inlineMicros > 0) {
        onLoop.addAll(greedy);
        onLoop.add(neighbour);
      }
      try (Waiting waiting = new Waiting(server, onLoop)) {
        gate.close();
        holder.send("long", GREEDY);
        RunningServer.await("one is held", () -> gate.held() == 1);
        for (Client client : greedy) {
          // The socket may not have room for all of it.
          Thread sender = new Thread(() -> sendAll(client, batch));
          sender.start();
          senders.add(sender);
        }
        return letsBegin(neighbour, waiting::count, clients);
      }
    } finally {
      gate.open();
      closeAll(greedy);
      for (Thread sender : senders) {
        sender.join();
      }
    }
  }

  private static void sendAll(Client client, byte[] bytes) {
    try {
      client.send(bytes);
    } catch (IOException e) {
      // The test has ended.
    }
  }

  /** Requests that take microseconds have their turn together. */
  @ParameterizedTest
  @CsvSource({"0, 0,  1", "0, 10, 4", "1000000, 10, 1", "1000000, 10, 4"})
  void shouldLetNeighboursWaitForOneTurnOfQuickRequests(
      int inlineMicros, int lingerSeconds, int clients) throws Exception {
    try (RunningServer server = server(Wiring.TCP, inlineMicros, lingerSeconds)) {
      int own = letsBeginAfterAnother(server, inlineMicros, batch("quick", 500), clients);
      // They share half a millisecond, but each has one that begins within its part of it.
      long most = TURN_MICROS / QUICK_MICROS + clients;
      assertTrue(own <= most, own + " requests of others began before one, not " + most);
    }
  }

  /** Each request fills a read. */
  @ParameterizedTest
  @CsvSource({"0, 1", "0, 4", "1000000, 1", "1000000, 4"})
  void shouldLetNeighboursWaitForOneTurnThoughOthersNeedManyReads(int inlineMicros, int clients)
      throws Exception {
    int length = 64 << 10;
    byte[] argument = new byte[length - Client.frame("long", 1, new byte[0]).length];
    argument[0] = GREEDY[0];
    ByteArrayOutputStream batch = new ByteArrayOutputStream();
    for (int i = 0; i < 6; i++) {
      batch.write(Client.frame("long", i, argument));
    }
    try (RunningServer server = server(Wiring.TCP, inlineMicros, 10)) {
      assertEquals(length, server.server.core().run.options.ioBufferBytes);
      int own = letsBeginAfterAnother(server, inlineMicros, batch.toByteArray(), clients);
      assertTrue(own <= clients, own + " requests of others began before one, not " + clients);
    }
  }

  /** The slow clients stand still, so a client that waits for one of them is never served. */
  @Test
  void shouldLetNobodyWaitForSlowClients() throws Exception {
    service.on("large", argument -> new byte[8 << 20]);
    for (Wiring wiring : Arrays.asList(Wiring.TCP, Wiring.TLS_1_3)) {
      List<Client> slow = new ArrayList<>();
      try (RunningServer server = server(wiring, 250, 10);
          Client neighbour = server.connect()) {
        for (int i = 0; i < 4; i++) {
          Client readsNothing = server.connect();
          readsNothing.send("large", new byte[0]);
          Client sendsHalf = server.connect();
          sendsHalf.send(Arrays.copyOf(Client.frame("sleep", 1, new byte[1000]), 500));
          // The header of a frame, or of a record of a handshake.
          Client begins = new Client(server.port);
          begins.send(wiring == Wiring.TCP ? new byte[] {0, 0, 1} : new byte[] {22, 3, 1, 2, 0, 1});
          slow.addAll(Arrays.asList(readsNothing, sendsHalf, begins));
        }
        RunningServer.await(
            "all are accepted", () -> server.server.core().connections() == slow.size() + 1);
        RunningServer.await(
            "replies are not read", () -> server.server.core().run.replies.used() > 4 << 20);
        for (String method : Arrays.asList("echo", "sleep", "spin")) {
          for (int i = 0; i < 20; i++) {
            assertEquals("x", Bytes.text(neighbour.call(method, Bytes.of("x"))));
          }
        }
        assertEquals(slow.size() + 1, server.server.core().connections());
        closeAll(slow);
      }
    }
  }

  /** A storm of new connections, each with hooks, must not be served before others' requests. */
  @Test
  void shouldLetNeighboursWaitForSomeNewConnectionsOnly() throws Exception {
    int storm = 200;
    AtomicInteger opened = new AtomicInteger();
    AtomicInteger openedBefore = new AtomicInteger();
    service.on(
        "mark",
        argument -> {
          openedBefore.set(opened.get());
          return argument;
        });
    ConnectionListener hooks =
        new ConnectionListener() {
          @Override
          public void opened(SocketAddress client) {
            opened.incrementAndGet();
            try {
              gate.pass();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          }
        };
    List<Client> clients = new ArrayList<>();
    try (RunningServer server = server(Wiring.TCP, 1_000_000, 10, 64, hooks);
        Client neighbour = server.connectAndCall("mark");
        Waiting waiting = new Waiting(server, Arrays.asList(neighbour));
        AutoCloseable letsAllPass = gate::open) {
      gate.close();
      for (int i = 0; i < storm; i++) {
        clients.add(server.connect());
      }
      RunningServer.await(
          "all are accepted, and one holds the loop",
          () -> server.server.core().connections() == storm + 1 && gate.held() == 1);
      int before = opened.get();
      int id = neighbour.send("mark", NEIGHBOUR);
      RunningServer.await("the neighbour's request waits", () -> waiting.count() == 1);
      gate.open();
      neighbour.receive("mark", id);
      int others = openedBefore.get() - before;
      assertTrue(others <= 64, others + " connections began before one request");
    } finally {
      closeAll(clients);
    }
  }

  /** A handshake costs a loop a millisecond or two, and advances by one step in a turn. */
  @Test
  void shouldLetNeighboursWaitForOneHandshakeOfEachClient() throws Exception {
    int clients = 4;
    AtomicInteger shaken = new AtomicInteger();
    AtomicInteger shakenBefore = new AtomicInteger();
    AtomicBoolean ends = new AtomicBoolean();
    service.on(
        "mark",
        argument -> {
          shakenBefore.set(shaken.get());
          return argument;
        });
    ConnectionListener hooks =
        new ConnectionListener() {
          @Override
          public void opened(SocketAddress client) {
            try {
              gate.pass();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          }

          @Override
          public void secured(SocketAddress client, SSLSession session) {
            shaken.incrementAndGet();
          }
        };
    List<Thread> threads = new ArrayList<>();
    try (RunningServer server = server(Wiring.TLS_1_3, 1_000_000, 10, 64, hooks);
        Client neighbour = server.connectAndCall("mark");
        Waiting waiting = new Waiting(server, Arrays.asList(neighbour))) {
      for (int i = 0; i < clients; i++) {
        Thread thread = new Thread(() -> shakeHands(server, ends), "handshakes");
        thread.start();
        threads.add(thread);
      }
      try {
        RunningServer.await("they shake hands", () -> shaken.get() > clients);
        for (int i = 0; i < ROUNDS; i++) {
          gate.close();
          RunningServer.await("the loop is held", () -> gate.held() == 1);
          int id = neighbour.send("mark", NEIGHBOUR);
          RunningServer.await("the neighbour's request waits", () -> waiting.count() == 1);
          int before = shaken.get();
          gate.open();
          neighbour.receive("mark", id);
          int others = shakenBefore.get() - before;
          assertTrue(others <= clients, others + " handshakes ended before one request");
        }
      } finally {
        ends.set(true);
        gate.open();
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
}
