package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.server.ServerContext;
import org.apache.thrift.server.TServerEventHandler;
import org.apache.thrift.transport.TTransport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that no interrupt survives on a thread of the server: neither of a hook, a handler nor
 * another thread. On Java 8 an interrupted thread closes each channel that it reads, on later
 * versions it never waits in a select.
 */
@Timeout(180)
@ParameterizedClass
@EnumSource(
    value = Wiring.class,
    names = {"TCP", "TLS_1_3"})
final class InterruptTest {
  @Parameter Wiring wiring;

  private static final long MILLIS = Long.getLong("interrupts.millis", 3000);
  private static final long IDLE_MILLIS = 500;

  /** Interrupts the thread that calls any of its hooks. */
  private static final class Interrupting implements ConnectionListener, TServerEventHandler {
    @Override
    public void opened(SocketAddress client) {
      Thread.currentThread().interrupt();
    }

    @Override
    public void closed(SocketAddress client) {
      Thread.currentThread().interrupt();
    }

    @Override
    public void preServe() {}

    @Override
    public ServerContext createContext(TProtocol in, TProtocol out) {
      Thread.currentThread().interrupt();
      return null;
    }

    @Override
    public void deleteContext(ServerContext context, TProtocol in, TProtocol out) {
      Thread.currentThread().interrupt();
    }

    @Override
    public void processContext(ServerContext context, TTransport in, TTransport out) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns a factory of threads that are not the server's own class. */
  private static ThreadFactory plainThreads(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldServeOnThoughHooksInterruptTheirThread(boolean plain) throws Exception {
    Interrupting hooks = new Interrupting();
    try (RunningServer server =
        new RunningServer(
            wiring,
            new TestService(),
            args -> {
              args.selectors(1).connectionListener(hooks);
              if (plain) {
                args.threadFactory(plainThreads(args.options.name));
              }
            },
            hooks)) {
      for (int i = 0; i < 20; i++) {
        try (Client client = server.connect()) {
          assertEquals("x", Bytes.text(client.call("echo", Bytes.of("x"))));
        }
      }
      RunningServer.await("all have gone", () -> server.server.core().connections() == 0);
      assertNoThreadSpins(server);
    }
  }

  /** A cancelled future interrupts late, when the thread serves others or waits for them. */
  @ParameterizedTest
  @ValueSource(ints = {0, 250})
  void shouldLoseNoConnectionToInterruptsOfItsThreads(int inlineMicros) throws Exception {
    AtomicBoolean ends = new AtomicBoolean();
    try (RunningServer server =
        new RunningServer(
            wiring,
            Load.moodyService(),
            args -> args.inlineLimit(inlineMicros, TimeUnit.MICROSECONDS))) {
      Thread stranger = new Thread(() -> interrupt(server, ends), "stranger");
      stranger.start();
      try {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MILLIS);
        Random random = new Random(1);
        do {
          Load.run(server, 8, 200, null, random);
          assertEquals(0, server.metrics().acceptFailures.sum());
        } while (System.nanoTime() < end);
      } finally {
        ends.set(true);
        stranger.join();
      }
      interruptAll(server);
      assertNoThreadSpins(server);
      Load.run(server, 8, 10, null, new Random(2));
    }
  }

  /** A drain that an interrupt ends would report that all is answered. */
  @Test
  void shouldDrainThoughItsThreadIsInterrupted() throws Exception {
    try (RunningServer server = new RunningServer(wiring, new TestService());
        Client client = server.connect()) {
      client.send(Arrays.copyOf(Client.frame("echo", 1, new byte[10]), 8));
      RunningServer.await("a part of a frame has come", () -> server.metrics().bytesRead.sum() > 0);
      AtomicBoolean ends = new AtomicBoolean();
      Thread stranger = new Thread(() -> interrupt(server, ends), "stranger");
      stranger.start();
      try {
        assertEquals(1, server.server.drain(300, TimeUnit.MILLISECONDS));
        assertEquals(0, server.server.core().connections());
      } finally {
        ends.set(true);
        stranger.join();
      }
    }
  }

  /** The interrupt of a handler that runs is the handler's to see. */
  @ParameterizedTest
  @ValueSource(ints = {0, 250})
  void shouldLetAHandlerBeInterrupted(int inlineMicros) throws Exception {
    List<Thread> waiting = new ArrayList<>();
    TestService service =
        new TestService()
            .on(
                "wait",
                argument -> {
                  synchronized (waiting) {
                    waiting.add(Thread.currentThread());
                  }
                  try {
                    Thread.sleep(60_000);
                    return Bytes.of("never interrupted");
                  } catch (InterruptedException e) {
                    return Bytes.of("interrupted");
                  }
                });
    try (RunningServer server =
            new RunningServer(
                wiring, service, args -> args.inlineLimit(inlineMicros, TimeUnit.MICROSECONDS));
        Client client = server.connect()) {
      int id = client.send("wait", new byte[0]);
      RunningServer.await(
          "the handler waits",
          () -> {
            synchronized (waiting) {
              return !waiting.isEmpty();
            }
          });
      waiting.get(0).interrupt();
      assertEquals("interrupted", Bytes.text(client.receive("wait", id)));
    }
  }

  private static void interrupt(RunningServer server, AtomicBoolean ends) {
    while (!ends.get()) {
      interruptAll(server);
      try {
        TimeUnit.MICROSECONDS.sleep(ThreadLocalRandom.current().nextInt(500));
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private static void interruptAll(RunningServer server) {
    for (Thread thread : threads(server)) {
      thread.interrupt();
    }
  }

  private static List<Thread> threads(RunningServer server) {
    Thread[] all = new Thread[Thread.activeCount() + 100];
    int count = Thread.enumerate(all);
    List<Thread> own = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (all[i].getName().startsWith("test-" + server.port)) {
        own.add(all[i]);
      }
    }
    return own;
  }

  private static void assertNoThreadSpins(RunningServer server) throws Exception {
    List<Thread> own = threads(server);
    assertTrue(own.size() >= 2, "threads: " + own);
    long before = cpuNanos(own);
    Thread.sleep(IDLE_MILLIS);
    long millis = TimeUnit.NANOSECONDS.toMillis(cpuNanos(own) - before);
    assertTrue(millis < IDLE_MILLIS / 5, "an idle server used " + millis + " ms of CPU time");
  }

  private static long cpuNanos(List<Thread> threads) {
    long sum = 0;
    for (Thread thread : threads) {
      sum += Math.max(0, ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.getId()));
    }
    return sum;
  }
}
