package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.internal.loop.Connection;
import dev.ringside.thrift.internal.wire.Libthrift;
import dev.ringside.thrift.internal.work.HandOffRing;
import dev.ringside.thrift.internal.work.ServerThread;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.transport.TNonblockingServerSocket;
import org.apache.thrift.transport.TNonblockingTransport;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that a server serves on after any Error. What memory it lacks it gets back later: the heap
 * is full for a while, or every call out of the server fails for a while.
 */
@Timeout(180)
final class ErrorTest {
  private static final int STEPS = Integer.getInteger("errors.steps", 40);

  private static final int FULL_MILLIS = Integer.getInteger("errors.fullMillis", 1500);

  /** How soon it must serve again. On a quiet machine it does within milliseconds. */
  private static final long AGAIN_MILLIS = 5000;

  private final Faults faults = new Faults();

  /** Fails before it does anything: an Error after that could not be the ring's. */
  private final class FaultyRing extends HandOffRing<Connection> {
    FaultyRing() {
      super(64);
    }

    @Override
    public boolean offer(Connection connection) {
      faults.step();
      return super.offer(connection);
    }

    @Override
    public Connection poll() {
      faults.step();
      return super.poll();
    }

    @Override
    public boolean isEmpty() {
      faults.step();
      return super.isEmpty();
    }

    @Override
    public boolean hasRoom() {
      faults.step();
      return super.hasRoom();
    }
  }

  private final class FaultyListener extends NonblockingListener {
    private final TNonblockingServerSocket socket;

    FaultyListener(int port) throws TTransportException {
      socket = new TNonblockingServerSocket(new InetSocketAddress("127.0.0.1", port));
    }

    @Override
    public TNonblockingTransport acceptNext() throws TTransportException {
      faults.step();
      return Libthrift.accept(socket);
    }

    @Override
    public void listen() throws TTransportException {
      socket.listen();
    }

    @Override
    public void close() {
      socket.close();
    }

    @Override
    public void registerSelector(Selector selector) {
      socket.registerSelector(selector);
    }
  }

  private final class FaultyHooks implements ConnectionListener {
    @Override
    public void opened(SocketAddress client) {
      faults.step();
    }

    @Override
    public void beforeRequest(SocketAddress client, String method) {
      faults.step();
    }

    @Override
    public void closed(SocketAddress client) {
      faults.step();
    }
  }

  private TProtocol protocol(TTransport transport) {
    faults.step();
    return new TBinaryProtocol(transport);
  }

  /** Steps fail one by one at first, then for longer and longer. */
  @Timeout(3600)
  @ParameterizedTest
  @ValueSource(ints = {0, 250})
  void shouldServeAgainAfterErrorsAtAnyStep(int inlineMicros) throws Exception {
    int port = RunningServer.freePort();
    ThreadFactory threads = ServerThread.factory("test-" + port);
    try (RunningServer server =
            new RunningServer(
                port,
                new FaultyListener(port),
                Load.moodyService(),
                args ->
                    args.maxWorkers(3)
                            .inlineLimit(inlineMicros, TimeUnit.MICROSECONDS)
                            .linger(20, TimeUnit.MILLISECONDS)
                            .connectionListener(new FaultyHooks())
                            .protocolFactory(this::protocol)
                            .threadFactory(
                                task -> {
                                  faults.step();
                                  return threads.newThread(task);
                                })
                            .options
                            .ring =
                        FaultyRing::new);
        AutoCloseable logger = faults.inLogger()) {
      Random random = new Random(1);
      for (int first = 1; first <= STEPS; first += 1 + first / 30) {
        int last = first + random.nextInt(1 + first / 2);
        faults.arm(first, last);
        load(server, () -> faults.steps() > last, random);
        faults.disarm();
        assertServes(port, "after errors at steps " + first + " to " + last);
        assertTrue(server.server.isReady(), "it is not ready");
      }
      RunningServer.await("all connections end", () -> server.server.core().connections() == 0);
      assertTrue(server.metrics().failures.sum() > 0);
    }
  }

  @Test
  void shouldStopAndSaySoWhenALoopCannotSelect() throws Exception {
    RunningServer server =
        new RunningServer(new TestService(), args -> args.stopTimeout(100, TimeUnit.MILLISECONDS));
    server.server.core().loops.get(0).selector.close();
    RunningServer.await("it is not ready", () -> !server.server.isReady());
    AssertionError failed = assertThrows(AssertionError.class, server::awaitEnd);
    assertTrue(failed.getCause().getMessage().contains("cannot select"), failed.getCause() + "");
  }

  /** With clients that go on: their requests fail, or wait, while there is no memory. */
  @Test
  void shouldServeAgainWhenMemoryIsBack() throws Exception {
    Process process = FullHeap.start(FULL_MILLIS);
    AtomicBoolean ends = new AtomicBoolean();
    AtomicInteger calls = new AtomicInteger();
    List<Thread> clients = new ArrayList<>();
    try {
      int port = FullHeap.port(process);
      for (int i = 0; i < 10; i++) {
        Random random = new Random(i);
        Thread client = new Thread(() -> callUntil(ends, calls, port, random));
        client.start();
        clients.add(client);
      }
      for (int round = 0; round < 2; round++) {
        int before = calls.get();
        // A class that is first used without memory may be unusable from then on.
        RunningServer.await("they are served", () -> calls.get() > before + 500);
        try (Client filler = new Client(port)) {
          int id = filler.send("fill", new byte[0]);
          Thread.sleep(FULL_MILLIS);
          awaitEnd(filler, id);
        }
        assertServes(port, "after the heap was full");
        assertServes(port, "a little later");
      }
      try (Client client = new Client(port)) {
        assertEquals("true", Bytes.text(client.call("ready", new byte[0])));
      }
    } finally {
      ends.set(true);
      for (Thread client : clients) {
        client.join();
      }
      process.destroyForcibly().waitFor();
    }
  }

  /** It ends with a reply, or its connection broke while there was no memory. */
  private static void awaitEnd(Client filler, int id) {
    try {
      filler.receive("fill", id);
    } catch (IOException | org.apache.thrift.TException e) {
      // What follows shows whether the server goes on.
    }
  }

  private static void callUntil(AtomicBoolean ends, AtomicInteger calls, int port, Random random) {
    List<String> methods = Arrays.asList("echo", "moody", "sleepy", "large");
    while (!ends.get()) {
      try (Client client = new Client(port)) {
        client.socket().setSoTimeout(1000);
        while (!ends.get()) {
          client.call(methods.get(random.nextInt(4)), Bytes.random(random, random.nextInt(10_000)));
          calls.incrementAndGet();
        }
      } catch (Exception e) {
        // It is closed, or not answered for now.
      }
    }
  }

  /** Uses connections that may break at any time. */
  private static void load(RunningServer server, BooleanSupplier ended, Random random) {
    for (int i = 0; i < 200 && !ended.getAsBoolean(); i++) {
      try (Client client = server.connect()) {
        client.socket().setSoTimeout(50);
        for (int call = 0; call < 5; call++) {
          client.call(Load.METHODS.get(random.nextInt(3)), Bytes.of("x"));
        }
      } catch (Exception e) {
        // It is closed, or not answered for now.
      }
    }
  }

  private static void assertServes(int port, String when) throws Exception {
    long began = System.nanoTime();
    for (String method : Load.METHODS) {
      boolean served = false;
      while (!served) {
        try (Client client = new Client(port)) {
          client.socket().setSoTimeout(1000);
          served = "x".equals(Bytes.text(client.call(method, Bytes.of("x"))));
        } catch (IOException | org.apache.thrift.TException e) {
          long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
          assertTrue(millis < AGAIN_MILLIS, when + " it does not serve " + method + ": " + e);
        }
      }
    }
  }
}
