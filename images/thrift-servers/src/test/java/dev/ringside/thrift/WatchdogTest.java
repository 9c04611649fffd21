package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.internal.loop.Leader;
import dev.ringside.thrift.internal.loop.Watchdog;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
final class WatchdogTest {
  private static final int CALLS = 64;

  @Test
  void shouldSleepOnWhileRequestsAreHandedOffOneByOne() throws Exception {
    try (RunningServer server =
            new RunningServer(
                new TestService().on("block", WatchdogTest::block),
                args -> args.selectors(1).linger(0, TimeUnit.MILLISECONDS));
        Client client = server.connect()) {
      Watchdog watchdog = server.server.core().watchdog();
      while (server.handedOff() < CALLS) {
        client.call("block", Bytes.of("known"));
      }
      long handedOff = server.handedOff();
      long sleeps = watchdog.sleeps();
      for (int i = 0; i < CALLS; i++) {
        RunningServer.await("the watchdog sleeps", watchdog::isAsleep);
        client.call("block", Bytes.of("handed off"));
      }
      assertEquals(CALLS, server.handedOff() - handedOff);
      long woken = watchdog.sleeps() - sleeps;
      assertTrue(woken <= CALLS / Leader.SERVED_PER_LOOK + 1, woken + " times woken");
    }
  }

  private static byte[] block(byte[] argument) throws InterruptedException {
    Thread.sleep(2);
    return argument;
  }
}
