package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Measures the cost of an idle server: its threads' wake-ups and CPU time, as the kernel counts
 * them.
 */
@Timeout(180)
@EnabledOnOs(OS.LINUX)
final class IdleCostTest {
  private static final long MILLIS = Long.getLong("idle.millis", 2000);
  private static final Path TASKS = Paths.get("/proc/self/task");

  @ParameterizedTest
  @ValueSource(ints = {0, 1000})
  void shouldCostNothingWithoutRequests(int connections) throws Exception {
    try (RunningServer server = new RunningServer(new TestService())) {
      try (Client client = server.connect()) {
        // Some requests, so that all threads have run.
        for (int i = 0; i < 100; i++) {
          client.call("echo", Bytes.of("x"));
        }
      }
      Process clients = connections > 0 ? IdleClients.start(server.port, connections) : null;
      try {
        RunningServer.await(
            "all are open", () -> server.server.core().connections() == connections);
        Thread.sleep(200);
        Map<String, long[]> before = threads("test-" + server.port);
        Thread.sleep(MILLIS);
        Map<String, long[]> after = threads("test-" + server.port);
        long wakeUps = 0;
        long nanos = 0;
        for (Map.Entry<String, long[]> thread : after.entrySet()) {
          long[] was = before.getOrDefault(thread.getKey(), new long[2]);
          wakeUps += thread.getValue()[0] - was[0];
          nanos += thread.getValue()[1] - was[1];
        }
        assertTrue(before.size() >= 4, "threads: " + before.keySet());
        double perSecond = wakeUps * 1000.0 / MILLIS;
        double share = nanos / (MILLIS * 1e6);
        System.out.printf(
            "idle with %d connections: %.1f wake-ups/s, %.4f%% of a core%n",
            connections, perSecond, 100 * share);
        assertTrue(perSecond <= 10, perSecond + " wake-ups per second");
        assertTrue(share < 0.001, 100 * share + "% of a core");
      } finally {
        if (clients != null) {
          clients.destroy();
          clients.waitFor();
        }
      }
    }
  }

  /** Returns voluntary context switches and CPU time in ns of the threads with a name prefix. */
  private static Map<String, long[]> threads(String prefix) throws IOException {
    Map<String, long[]> threads = new HashMap<>();
    // The kernel keeps 15 characters of a name; newer JVMs omit characters in the middle.
    String kept = prefix.substring(0, Math.min(7, prefix.length()));
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
      for (Path task : tasks) {
        if (!new String(Files.readAllBytes(task.resolve("comm"))).startsWith(kept)) {
          continue;
        }
        long switches = 0;
        for (String line : Files.readAllLines(task.resolve("status"))) {
          if (line.startsWith("voluntary_ctxt_switches:")) {
            switches = Long.parseLong(line.replaceAll("\\D", ""));
          }
        }
        String cpu = new String(Files.readAllBytes(task.resolve("schedstat"))).split(" ")[0];
        threads.put(task.getFileName().toString(), new long[] {switches, Long.parseLong(cpu)});
      }
    }
    return threads;
  }
}
