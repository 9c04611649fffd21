package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs clients that wait for one reply each, with methods that return at once, sleep, wait in a
 * socket and compute. While a processor is idle, no reply is later than its handler's own time and
 * a limit. Prints the latest reply of each cell.
 */
@Timeout(900)
final class ClosedLoopTest {
  private static final double MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  @BeforeAll
  static void printHeader() {
    System.out.println(
        "closed loops: | ring | linger ms | clients | requests | latest reply ms late | while a"
            + " processor was idle | processors idle |");
  }

  @ParameterizedTest
  @CsvSource({
    "2, 0, 3",
    "2, 5, 16",
    "2, 0, 64",
    "2, 5, 64",
    "2, 100, 64",
    "16, 0, 64",
    "16, 5, 16",
    "16, 100, 64",
    "1024, 0, 64",
    "1024, 5, 64",
    "1024, 100, 16",
    "1024, 100, 3"
  })
  void shouldReplyPromptlyWhateverOthersDo(int ringSize, long lingerMillis, int clients)
      throws Exception {
    try (MixedService mixed = new MixedService();
        RunningServer server = Promptness.server(mixed.service(), ringSize, lingerMillis)) {
      ClosedLoops.Result result =
          ClosedLoops.run(
              server, clients, MixedService.METHODS, TimeUnit.SECONDS.toNanos(Promptness.SECONDS));
      System.out.printf(
          "closed loops: | %d | %d | %d | %d | %.1f | %.1f | %.2f |%n",
          ringSize,
          lingerMillis,
          clients,
          result.requests,
          result.worst / MILLI,
          result.worstWhileIdle / MILLI,
          result.idleProcessors);
      assertTrue(
          result.worstWhileIdle / MILLI < Promptness.WORST_MILLIS,
          "a reply came " + result.worstWhileIdle / MILLI + " ms late, one of " + result.requests);
      Promptness.assertNobodyIsCountedWrongly(server);
    }
  }

  /** Verifies that the measurement detects a late reply. */
  @Test
  void shouldSeeThatAReplyIsLate() throws Exception {
    TestService.Method denies =
        argument -> {
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(60));
          return MixedService.timed(() -> {}).call(argument);
        };
    try (RunningServer server = Promptness.server(new TestService().on("denies", denies), 16, 0)) {
      ClosedLoops.Result result =
          ClosedLoops.run(
              server, 2, Collections.singletonList("denies"), TimeUnit.MILLISECONDS.toNanos(300));
      assertTrue(result.requests >= 2, result.requests + " requests");
      assertTrue(result.worst / MILLI >= 59, result.worst / MILLI + " ms");
    }
  }

  @Test
  void shouldReadTheProcessorsIdleTime() {
    assertEquals(
        TimeUnit.MILLISECONDS.toNanos(10 * (400 + 7)),
        IdleTime.nanos("cpu  100 2 30 400 7 0 5 0 0 0\ncpu0 1 1 1 1 1 0 0 0 0 0\n"));
  }
}
