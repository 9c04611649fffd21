package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.thrift.server.THsHaServer;
import org.apache.thrift.transport.TNonblockingServerSocket;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that clients with many requests delay a neighbour no more than libthrift's THsHaServer lets
 * them, which takes one request of each connection in turn. Measured in requests of theirs that run
 * while a request of the neighbour waits, because that does not depend on the machine.
 */
@Timeout(180)
final class FairnessTest {
  private static final int GREEDY = 4;
  private static final int PIPELINED = 150;
  private static final int CALLS = 9;

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
              });

  @ParameterizedTest
  @CsvSource({
    "block,   250,     BLOCKING,      0",
    "block,   250,     BLOCKING,      10",
    "block,   250,     LITE_BLOCKING, 10",
    "block,   250,     SLEEPING,      10",
    "block,   250,     YIELDING,      10",
    "block,   250,     BUSY_SPIN,     10",
    "compute, 0,       BLOCKING,      10",
    "compute, 1000000, BLOCKING,      10"
  })
  void shouldLetNeighboursWaitNoLongerThanThePeerDoes(
      String method, int inlineMicros, WaitMode mode, int lingerSeconds) throws Exception {
    int peer = peerLetsRun(method);
    try (RunningServer server =
        new RunningServer(
            service,
            args ->
                args.selectors(1)
                    .maxWorkers(1)
                    .waitMode(mode)
                    .linger(lingerSeconds, TimeUnit.SECONDS)
                    .blockedAfter(
                        method.equals("block") ? 1_000 : 3_600_000_000L, TimeUnit.MICROSECONDS)
                    .inlineLimit(inlineMicros, TimeUnit.MICROSECONDS))) {
      int own = letsRun(server.port, method);
      assertTrue(
          own <= 2 * peer + 20,
          own + " requests of others ran during " + CALLS + " calls, the peer lets run " + peer);
    }
  }

  private int peerLetsRun(String method) throws Exception {
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
      return letsRun(port, method);
    } finally {
      server.stop();
      thread.join();
      worker.shutdownNow();
    }
  }

  /** Returns how many requests of greedy clients run while those of a neighbour wait. */
  private int letsRun(int port, String method) throws Exception {
    List<Client> greedy = new ArrayList<>();
    try (Client neighbour = new Client(port)) {
      // The server learns what the method does.
      for (int i = 0; i < 20; i++) {
        neighbour.call(method, new byte[1]);
      }
      for (int i = 0; i < GREEDY; i++) {
        greedy.add(new Client(port));
        greedy.get(i).call(method, new byte[1]);
      }
      ByteArrayOutputStream batch = new ByteArrayOutputStream();
      for (int i = 0; i < PIPELINED; i++) {
        batch.write(Client.frame(method, i, new byte[1]));
      }
      for (Client client : greedy) {
        client.send(batch.toByteArray());
      }
      greedy.get(0).receive(method, 0);
      int others = 0;
      for (int i = 0; i < CALLS; i++) {
        int before = ran.get();
        neighbour.call(method, new byte[1]);
        others += ran.get() - before - 1;
      }
      for (Client client : greedy) {
        for (int i = client == greedy.get(0) ? 1 : 0; i < PIPELINED; i++) {
          client.receive(method, i);
        }
        client.close();
      }
      return others;
    }
  }
}
