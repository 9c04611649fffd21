package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.internal.work.Roster;
import java.util.concurrent.TimeUnit;

/**
 * Holds what the tests of latency share: a server without timers that hide lost wake-ups, the
 * duration of a cell and the limit of a delay.
 */
final class Promptness {
  static final int MAX_WORKERS = 15;

  /** Duration of a cell. Two seconds find most errors; a minute runs millions of requests. */
  static final long SECONDS = Long.getLong("burst.seconds", 2);

  /**
   * Largest delay. A lost wake-up waits forever, because there are no timers; use 50 on a quiet
   * machine.
   */
  static final long WORST_MILLIS = Long.getLong("burst.worstMillis", 10_000);

  private static final int LOOPS = 2;

  private Promptness() {}

  static RunningServer server(TestService service, int ringSize, long lingerMillis)
      throws Exception {
    return new RunningServer(
        service,
        args ->
            args.ringSize(ringSize)
                .selectors(LOOPS)
                .maxWorkers(MAX_WORKERS)
                .linger(lingerMillis, TimeUnit.MILLISECONDS)
                // Disables the timer that would hide a lost wake-up.
                .stallTimeout(0, TimeUnit.SECONDS));
  }

  /** Verifies that at rest all threads that lead no loop are parked. */
  static void assertNobodyIsCountedWrongly(RunningServer server) throws Exception {
    Roster roster = server.server.core().workers.roster;
    RunningServer.await("nobody lingers", () -> roster.lingering() == 0);
    RunningServer.await("all others are parked", () -> roster.parked() == roster.threads() - LOOPS);
    assertTrue(roster.threads() <= MAX_WORKERS + LOOPS, roster.threads() + " threads");
  }
}
