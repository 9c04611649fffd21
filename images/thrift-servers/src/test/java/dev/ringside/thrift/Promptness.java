package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;

/**
 * What the suites that bound latency have in common: a server that no timer comes to the rescue of,
 * how long each of their cells takes, and what is too late.
 */
final class Promptness {
  static final int MAX_WORKERS = 15;

  /** How long each cell goes on: two seconds show what is broken, a minute makes it millions. */
  static final long SECONDS = Long.getLong("burst.seconds", 2);

  /**
   * No timer comes by here, so whoever is forgotten waits for ever; on a quiet machine ask for 50.
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
                // No timer that could come to the rescue.
                .stallTimeout(0, TimeUnit.SECONDS));
  }

  /** With nothing to do nobody searches, and whoever leads no loop is parked. */
  static void assertNobodyIsCountedWrongly(RunningServer server) throws Exception {
    Roster roster = server.server.workers().roster();
    RunningServer.await("nobody lingers", () -> roster.lingering() == 0);
    RunningServer.await("nobody searches", () -> roster.searching() == 0);
    RunningServer.await("all others are parked", () -> roster.parked() == roster.threads() - LOOPS);
    assertTrue(roster.threads() <= MAX_WORKERS + LOOPS, roster.threads() + " threads");
  }
}
