package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
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
                          server.server.core().workers().roster().threads(), Math::max);
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
          () -> server.server.core().workers().roster().threads() <= WORKERS + LOOPS);
    }
  }
}
