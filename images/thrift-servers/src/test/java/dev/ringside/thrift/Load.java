package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Runs many clients at the same time. Each checks every reply that it receives. */
final class Load {
  static final List<String> METHODS = Arrays.asList("echo", "moody", "sleepy");

  private Load() {}

  /** Returns a service with a quick method, a blocking one, and one whose duration varies. */
  static TestService moodyService() {
    return new TestService()
        .on(
            "moody",
            argument -> {
              if (ThreadLocalRandom.current().nextInt(4) == 0) {
                pause(100 + ThreadLocalRandom.current().nextInt(600));
              }
              return argument;
            })
        .after("sleepy", () -> pause(300));
  }

  private static void pause(int micros) {
    LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(micros));
  }

  /**
   * Makes {@code rounds} calls from each of {@code clients}, some of them pipelined, and checks all
   * replies.
   *
   * @param method method to call, or null for any of {@link #METHODS} under changing names
   */
  static void run(RunningServer server, int clients, int rounds, String method, Random seeds)
      throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(clients);
    try {
      List<Callable<Integer>> work = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        long seed = seeds.nextLong();
        work.add(
            () -> {
              try (Client client = server.connect()) {
                Random random = new Random(seed);
                for (int round = 0; round < rounds; round++) {
                  calls(client, method, random);
                }
              }
              return rounds;
            });
      }
      for (Future<Integer> done : pool.invokeAll(work)) {
        assertEquals(rounds, done.get());
      }
    } finally {
      pool.shutdownNow();
    }
  }

  private static void calls(Client client, String method, Random random) throws Exception {
    int depth = random.nextInt(3) == 0 ? 1 + random.nextInt(6) : 1;
    String[] methods = new String[depth];
    byte[][] payloads = new byte[depth][];
    int[] ids = new int[depth];
    for (int i = 0; i < depth; i++) {
      methods[i] =
          method == null
              ? METHODS.get(random.nextInt(METHODS.size())) + "#" + random.nextInt(400)
              : method;
      payloads[i] = Bytes.random(random, random.nextInt(400));
      ids[i] = client.send(methods[i], payloads[i]);
    }
    for (int i = 0; i < depth; i++) {
      assertArrayEquals(payloads[i], client.receive(methods[i], ids[i]));
    }
  }
}
