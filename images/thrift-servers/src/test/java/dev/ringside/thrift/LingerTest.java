package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.internal.work.Roster;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests when a worker waits for the next request of the connection that it served. */
@Timeout(180)
final class LingerTest {
  private static RunningServer server(int workers, TestService service, long idleMillis)
      throws Exception {
    return new RunningServer(
        service,
        args ->
            args.inlineLimit(0, TimeUnit.MILLISECONDS)
                .selectors(1)
                .maxWorkers(workers)
                .idleTimeout(idleMillis, TimeUnit.MILLISECONDS));
  }

  /** With the leader, one of four workers is among the few. */
  @ParameterizedTest
  @CsvSource({"4, true", "2, false"})
  void shouldWaitAmongFewThreadsOnly(int workers, boolean waits) throws Exception {
    try (RunningServer server = server(workers, new TestService(), 0);
        Client client = server.connectAndCall("echo")) {
      Roster roster = server.server.core().workers.roster;
      RunningServer.await(
          "the worker waits", () -> (waits ? roster.lingering() : roster.parked()) == 1);
      client.call("echo", Bytes.of("x"));
      assertEquals(2, server.handedOff());
      assertEquals(0, waits ? server.metrics().lingersInVain.sum() : roster.lingering());
    }
  }

  @Test
  void shouldNotWaitForLongerThanAnIdleConnectionMayBeOpen() throws Exception {
    try (RunningServer server = server(4, new TestService(), 200);
        Client client = server.connectAndCall("echo")) {
      assertEquals(200, server.server.core().run.options.lingerMillis);
      assertTrue(client.isClosedByServer());
    }
  }
}
