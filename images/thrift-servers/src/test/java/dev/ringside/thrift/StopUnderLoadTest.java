package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ringside.thrift.internal.metrics.CloseReason;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every call whose handler returned is answered, whenever the server is stopped, and no connection
 * is cut off. A seed determines the server's options, the methods' work, the time of the stop and
 * whether clients use TLS; {@code -Dstop.rounds=1000 -Dstop.seed=1} runs more rounds.
 */
@Timeout(3600)
final class StopUnderLoadTest {
  private static final int ROUNDS = Integer.getInteger("stop.rounds", 15);
  private static final long SEED = Long.getLong("stop.seed", 1);
  private static final int MAX_PAUSE_NANOS = 2_000_000;
  private static final int METHODS = 4;

  private final AtomicInteger ran = new AtomicInteger();
  private final Object monitor = new Object();

  /** Returns at once, sleeps, waits for a lock that is held, or computes. */
  private byte[] work(byte[] argument) throws InterruptedException {
    switch (argument[0] % METHODS) {
      case 0:
        break;
      case 1:
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100L * argument[1]));
        break;
      case 2:
        synchronized (monitor) {
          TimeUnit.MICROSECONDS.sleep(200);
        }
        break;
      default:
        long end = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(10L * argument[1]);
        while (System.nanoTime() < end) {
          Thread.yield();
        }
    }
    ran.incrementAndGet();
    return argument;
  }

  private static void configure(TDisruptorServer.Args args, Random random) {
    args.selectors(1 + random.nextInt(3))
        .maxWorkers(1 << random.nextInt(5))
        .ringSize(1 << random.nextInt(7))
        .linger(random.nextInt(3) * 5L, TimeUnit.MILLISECONDS)
        .inlineLimit(random.nextInt(4) == 0 ? 0 : 250, TimeUnit.MICROSECONDS)
        .blockedAfter(200 + random.nextInt(1000), TimeUnit.MICROSECONDS);
    if (random.nextInt(3) == 0) {
      args.connectionListener(new SlowHooks());
    }
  }

  /** Is a listener whose hooks block in some calls. */
  private static final class SlowHooks implements ConnectionListener {
    @Override
    public void opened(SocketAddress client) {
      closed(client);
    }

    @Override
    public void closed(SocketAddress client) {
      LockSupport.parkNanos(
          Math.max(0, ThreadLocalRandom.current().nextInt(4_000_000) - 2_000_000));
    }
  }

  @Test
  void shouldLoseNoReplyOfARequestThatRan() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      long seed = SEED + round;
      try {
        stop(new Random(seed));
      } catch (AssertionError | Exception e) {
        throw new AssertionError("-Dstop.rounds=1 -Dstop.seed=" + seed, e);
      }
    }
  }

  private void stop(Random random) throws Exception {
    ran.set(0);
    TestService service = new TestService();
    for (int i = 0; i < METHODS; i++) {
      service.on("work" + i, this::work);
    }
    int connections = 1 + random.nextInt(24);
    int depth = 1 + random.nextInt(4);
    boolean shuffles = random.nextBoolean();
    boolean drains = random.nextInt(3) == 0;
    int calls = 1 + random.nextInt(200);
    Wiring wiring = random.nextInt(4) == 0 ? Wiring.TLS_1_3 : Wiring.TCP;
    RunningServer server = new RunningServer(wiring, service, args -> configure(args, random));
    LoopShuffler shuffler =
        shuffles
            ? new LoopShuffler(server.server, server.server.core().run.options.selectors)
            : null;
    ExecutorService clients = Executors.newCachedThreadPool();
    List<Future<Integer>> answered = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      Client client = server.connect();
      boolean tls = wiring != Wiring.TCP;
      answered.add(
          clients.submit(
              () -> tls ? callTogetherUntilTheEnd(client, depth) : callUntilTheEnd(client, depth)));
    }
    RunningServer.await("there is load", () -> ran.get() >= calls);
    LockSupport.parkNanos(random.nextInt(MAX_PAUSE_NANOS));
    if (drains) {
      clients.submit(() -> server.server.drain(1, TimeUnit.HOURS));
      LockSupport.parkNanos(random.nextInt(MAX_PAUSE_NANOS));
    }
    server.stop();
    int all = 0;
    for (Future<Integer> one : answered) {
      all += one.get();
    }
    if (shuffler != null) {
      shuffler.close();
    }
    clients.shutdown();
    assertEquals(ran.get(), all, "answered");
    assertEquals(0, server.closed(CloseReason.CUT_OFF), "cut off");
    assertEquals(0, server.server.core().connections(), "connections");
  }

  /**
   * Sends several requests at a time until the server closes the connection. Returns the number of
   * replies.
   */
  private static int callUntilTheEnd(Client client, int depth) throws Exception {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    int answered = 0;
    try (Client open = client) {
      try {
        while (true) {
          int[] ids = new int[depth];
          String[] methods = new String[depth];
          for (int j = 0; j < depth; j++) {
            // Pauses, so that the stop also falls between two requests.
            LockSupport.parkNanos(random.nextInt(MAX_PAUSE_NANOS));
            int method = random.nextInt(METHODS);
            methods[j] = "work" + method;
            ids[j] = open.send(methods[j], new byte[] {(byte) method, (byte) random.nextInt(30)});
          }
          for (int j = 0; j < depth; j++) {
            open.receive(methods[j], ids[j]);
            answered++;
          }
        }
      } catch (EOFException e) {
        return answered;
      } catch (SocketException e) {
        // The server has stopped. A send may fail while replies can still be read.
        return answered + open.receiveTheRest();
      }
    }
  }

  /**
   * Does the same over TLS, with all requests in one write: when a write fails, Java reads no more
   * from a TLS connection, and nothing must be outstanding then.
   */
  private static int callTogetherUntilTheEnd(Client client, int depth) throws Exception {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    int answered = 0;
    try (Client open = client) {
      while (true) {
        String[] methods = new String[depth];
        ByteArrayOutputStream batch = new ByteArrayOutputStream();
        for (int j = 0; j < depth; j++) {
          int method = random.nextInt(METHODS);
          methods[j] = "work" + method;
          batch.write(
              Client.frame(methods[j], j, new byte[] {(byte) method, (byte) random.nextInt(30)}));
        }
        LockSupport.parkNanos(random.nextInt(MAX_PAUSE_NANOS));
        open.send(batch.toByteArray());
        for (int j = 0; j < depth; j++) {
          open.receive(methods[j], j);
          answered++;
        }
      }
    } catch (IOException e) {
      return answered;
    }
  }
}
