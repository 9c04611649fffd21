package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.thrift.transport.TNonblockingServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests {@code maxWorkers}, the number of requests that may block at the same time. */
@Timeout(180)
final class WorkerLimitTest {
  private static final int WORKERS = 4;
  private static final int LOOPS = 2;

  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();

  private byte[] work(byte[] argument) throws InterruptedException {
    int now = running.incrementAndGet();
    most.accumulateAndGet(now, Math::max);
    Thread.sleep(5);
    running.decrementAndGet();
    return argument;
  }

  /** It may be one that leads a loop, and memory may be so short that this takes a second. */
  @Test
  void shouldNotLetTheThreadThatNeedsAWorkerMakeItsBuffers() throws Exception {
    TNonblockingServerSocket socket = new TNonblockingServerSocket(RunningServer.freePort());
    TDisruptorServer server =
        new TDisruptorServer(
            new TDisruptorServer.Args(socket)
                .threadFactory(task -> new Thread(() -> {}))
                .processor(new TestService()));
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long self = Thread.currentThread().getId();
    server.core().workers.start();
    long before = threads.getThreadAllocatedBytes(self);
    server.core().workers.start();
    long allocated = threads.getThreadAllocatedBytes(self) - before;
    assertTrue(allocated < 16 << 10, allocated + " bytes");
    socket.close();
  }

  /**
   * The quick method waited in its first call, as one does whose classes are loaded. If it were
   * handed off from then on, no worker would be left for it.
   */
  @Test
  void shouldServeAQuickMethodThoughAllWorkersAreStuckPermanently() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    AtomicBoolean called = new AtomicBoolean();
    TestService service =
        new TestService()
            .on(
                "quick",
                argument -> {
                  if (!called.getAndSet(true)) {
                    Thread.sleep(50);
                  }
                  return argument;
                })
            .on(
                "stick",
                argument -> {
                  running.incrementAndGet();
                  never.await();
                  return argument;
                });
    List<Client> stuck = new ArrayList<>();
    try (RunningServer server =
            new RunningServer(
                service,
                args ->
                    args.selectors(1).maxWorkers(WORKERS).stopTimeout(0, TimeUnit.MILLISECONDS));
        Client client = server.connectAndCall("quick")) {
      for (int i = 0; i < WORKERS; i++) {
        stuck.add(server.connect());
        stuck.get(i).send("stick", new byte[1]);
        int expected = i + 1;
        RunningServer.await("it is stuck", () -> running.get() == expected);
      }
      assertTrue(server.server.isReady());
      for (int i = 0; i < 20; i++) {
        assertEquals("x", Bytes.text(client.call("quick", Bytes.of("x"))));
      }
      stuck.add(server.connect());
      stuck.get(WORKERS).send("stick", new byte[1]);
      RunningServer.await("it is not ready", () -> !server.server.isReady());
      assertEquals("x", Bytes.text(client.call("quick", Bytes.of("x"))));
    } finally {
      never.countDown();
      for (Client client : stuck) {
        client.close();
      }
    }
  }

  @Test
  void shouldRunNoMoreRequestsAtOnceThanThereMayBeWorkersAndLoops() throws Exception {
    TestService service = new TestService().on("work", this::work);
    try (RunningServer server =
        new RunningServer(service, args -> args.selectors(LOOPS).maxWorkers(WORKERS))) {
      AtomicInteger mostThreads = new AtomicInteger();
      List<Thread> clients = new ArrayList<>();
      AtomicInteger failures = new AtomicInteger();
      for (int i = 0; i < 64; i++) {
        String method = "work#" + i % 10;
        Thread thread =
            new Thread(
                () -> {
                  try (Client client = server.connect()) {
                    for (int call = 0; call < 40; call++) {
                      client.call(method, Bytes.of("x"));
                      mostThreads.accumulateAndGet(
                          server.server.core().workers.roster.threads(), Math::max);
                    }
                  } catch (Exception e) {
                    failures.incrementAndGet();
                  }
                });
        thread.start();
        clients.add(thread);
      }
      for (Thread client : clients) {
        client.join();
      }
      assertTrue(failures.get() == 0, failures + " clients failed");
      // If a loop's leader blocks in a request that was not known to block, the loop gets one more
      // thread.
      int limit = WORKERS + 2 * LOOPS;
      assertTrue(most.get() <= limit, most + " requests at once");
      assertTrue(mostThreads.get() <= limit + 1, mostThreads + " threads");
      RunningServer.await(
          "those above the limit have gone",
          () -> server.server.core().workers.roster.threads() <= WORKERS + LOOPS);
    }
  }
}
