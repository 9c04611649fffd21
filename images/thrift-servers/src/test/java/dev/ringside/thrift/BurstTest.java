package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * All clients send one request and wait until all are answered, then repeat. In a closed loop, one
 * client's request wakes a thread that another's request did not wake. Here no later request or
 * timer hides a lost wake-up.
 */
@Timeout(180)
final class BurstTest {
  private static RunningServer server(int ringSize, long lingerMillis) throws Exception {
    TestService service =
        new TestService()
            .after("work", () -> LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(300)));
    return Promptness.server(service, ringSize, lingerMillis);
  }

  @ParameterizedTest
  @CsvSource({"2, 0, 64", "2, 100, 64", "16, 0, 100", "1024, 0, 64", "1024, 100, 64", "4, 5, 64"})
  void shouldForgetNobodyInABurst(int ringSize, long lingerMillis, int connections)
      throws Exception {
    List<Client> clients = new ArrayList<>();
    try (RunningServer server = server(ringSize, lingerMillis)) {
      for (int i = 0; i < connections; i++) {
        clients.add(server.connect());
      }
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Promptness.SECONDS);
      long worst = 0;
      int rounds = 0;
      while (System.nanoTime() < end) {
        long began = System.nanoTime();
        int[] ids = new int[connections];
        for (int i = 0; i < connections; i++) {
          ids[i] = clients.get(i).send("work", new byte[] {(byte) i});
        }
        for (int i = 0; i < connections; i++) {
          assertEquals((byte) i, clients.get(i).receive("work", ids[i])[0]);
        }
        worst = Math.max(worst, System.nanoTime() - began);
        rounds++;
      }
      long millis = TimeUnit.NANOSECONDS.toMillis(worst);
      assertTrue(
          millis < Promptness.WORST_MILLIS,
          "a burst took " + millis + " ms, one of " + rounds + " rounds");
      Promptness.assertNobodyIsCountedWrongly(server);
    } finally {
      for (Client client : clients) {
        client.close();
      }
    }
  }

  @Test
  void shouldStartWorkersThoughTheLimitIsTheLargestNumber() throws Exception {
    List<Client> clients = new ArrayList<>();
    try (RunningServer server =
        new RunningServer(
            new TestService()
                .after("sleep", () -> LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50))),
            args -> args.maxWorkers(Integer.MAX_VALUE).inlineLimit(0, TimeUnit.SECONDS))) {
      int[] ids = new int[10];
      for (int i = 0; i < ids.length; i++) {
        clients.add(server.connect());
        ids[i] = clients.get(i).send("sleep", Bytes.of("x"));
      }
      for (int i = 0; i < ids.length; i++) {
        assertEquals("x", Bytes.text(clients.get(i).receive("sleep", ids[i])));
      }
    } finally {
      for (Client client : clients) {
        client.close();
      }
    }
  }
}
