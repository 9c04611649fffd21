package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.internal.work.LingerTime;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.thrift.TException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests for which connections a worker waits for the next request. */
@Timeout(180)
final class LingerTest {
  private static final long LINGER_MILLIS = LingerTime.AMONG_MANY_MILLIS;
  private static final int CALLS = 6;

  @Test
  void shouldNotWaitAgainForAClientThatTakesLongerThanAWorkerWaits() throws Exception {
    try (RunningServer server = lingering();
        Client client = server.connect()) {
      for (int i = 0; i < CALLS; i++) {
        client.call("block", Bytes.of("x"));
        Thread.sleep(LINGER_MILLIS + 50);
      }
      assertEquals(CALLS, server.handedOff());
      // A wait may follow the first reply, because nothing was known about the client then.
      long inVain = server.server.core().metrics().lingersInVain.sum();
      assertTrue(inVain <= 1, inVain + " waits in vain");
    }
  }

  @Test
  void shouldWaitAgainForAClientThatHasBecomeQuicker() throws Exception {
    try (RunningServer server = lingering();
        Client client = server.connect()) {
      client.call("block", Bytes.of("x"));
      Thread.sleep(LINGER_MILLIS + 50);
      client.call("block", Bytes.of("x"));
      RunningServer.await("a worker waits with it again", () -> lingersAfterACall(server, client));
    }
  }

  /** The client calls again until it is seen, because a busy machine may delay the client, too. */
  private static boolean lingersAfterACall(RunningServer server, Client client) {
    if (server.server.core().workers().roster().lingering() == 1) {
      return true;
    }
    try {
      client.call("block", Bytes.of("x"));
    } catch (TException | IOException e) {
      throw new AssertionError(e);
    }
    return false;
  }

  private static RunningServer lingering() throws Exception {
    return new RunningServer(
        new TestService()
            .on(
                "block",
                argument -> {
                  Thread.sleep(2);
                  return argument;
                }),
        args ->
            // With a maximum of one thread, the linger time is that among many threads.
            args.inlineLimit(0, TimeUnit.MILLISECONDS).maxWorkers(1));
  }
}
